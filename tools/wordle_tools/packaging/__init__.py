"""Builds what is deployed: one zip per function and layer, and a template that names them."""
