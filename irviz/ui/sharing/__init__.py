"""Pinning, sharing and reporting views."""
