"""Lab: on which scale is a measure?"""
