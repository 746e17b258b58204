"""Advice for assistants: an MCP server in front of the desk."""
