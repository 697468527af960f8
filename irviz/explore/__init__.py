"""The pages that explore the loaded data: one module or package per page."""
