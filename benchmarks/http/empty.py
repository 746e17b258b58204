"""An application with one empty route, of the same framework: what the framework alone costs."""

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

app = FastAPI(openapi_url=None)


@app.get("/")
async def empty(request: Request) -> Response:
    del request
    return Response(b"{}", media_type="application/json")
