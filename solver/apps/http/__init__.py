"""Advice over HTTP: FastAPI and uvicorn in front of the desk."""
