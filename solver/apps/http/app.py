"""The application: routes, their document, and the layers around them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from solver.apps.answers.problem import Said, problem_of
from solver.apps.http import document
from solver.apps.http.boards import BoardRoutes
from solver.apps.http.front import PAGE_POLICY, Front
from solver.apps.http.reviews import ReviewRoutes
from solver.apps.http.routes import AdviceRoutes, DataRoutes, Handler, problem_response
from solver.apps.http.service import Service, started
from solver.apps.http.settings import Settings

BOARD = "martians-board"
"""Name of the game of positions on the board, in addresses."""

_FOR_STATUS = {404: "not-found", 405: "wrong-method"}


def make_app(settings: Settings | None = None) -> FastAPI:
    """Return the application.

    Parameters
    ----------
    settings
        How it runs; by default as ``should-i-roll serve`` does.

    Returns
    -------
    FastAPI
        An ASGI application; its state has the :class:`~solver.apps.http.service.Service`.
    """
    settings = settings or Settings()
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        loading = await started(service)
        yield
        loading.cancel()

    about = document.info()
    app = FastAPI(
        **about,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.router.route_class = _Route
    app.state.service = service
    _add_routes(app, service)
    _add_page(app)
    app.add_exception_handler(HTTPException, _refuse)
    app.add_middleware(Front, settings=settings, limit=service.limit, metrics=service.metrics)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type", "If-None-Match"],
            expose_headers=["ETag", "Retry-After", "Should-I-Roll-Schema", "X-Request-Id"],
            max_age=3600,
        )
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]
    return app


def openapi(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of the application.

    Parameters
    ----------
    app
        As :func:`make_app` returns it.
    """
    if app.openapi_schema is None:
        for route in app.routes:
            if isinstance(route, APIRoute) and route.operation_id in app.state.told_later:
                route.openapi_extra = app.state.told_later[route.operation_id]()
        found = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            license_info=app.license_info,
            routes=app.routes,
        )
        schemas = document.components(app.state.service.forms.values())
        found["components"] = {"schemas": dict(sorted(schemas.items()))}
        app.openapi_schema = found
    return app.openapi_schema


def _add_routes(app: FastAPI, service: Service) -> None:
    told_later: dict[str, Callable[[], dict[str, Any]]] = {}

    def add(
        path: str,
        handler: Handler,
        name: str,
        told: Callable[[], dict[str, Any]],
        *,
        post: bool = False,
    ) -> None:
        told_later[name] = told
        app.add_api_route(
            path,
            handler,
            methods=["POST" if post else "GET"],
            response_model=None,
            response_class=Response,
            operation_id=name,
            summary=(handler.__doc__ or "").splitlines()[0],
        )

    for name, form in service.forms.items():
        advice = AdviceRoutes(service, form)
        path = f"/v1/games/{name}/advice"
        add(path, advice.get, f"advise-{name}", partial(document.advice_get, form))
        body, batch = partial(document.advice_post, form), partial(document.advice_batch, form)
        add(path, advice.post, f"advise-{name}-body", body, post=True)
        add(f"{path}:batch", advice.batch, f"advise-{name}-batch", batch, post=True)
    add("/v1/review", ReviewRoutes(service).post, "review", document.review, post=True)
    board = f"/v1/games/{BOARD}/advice"
    add(board, BoardRoutes(service).post, f"advise-{BOARD}", document.board, post=True)
    data, plain = DataRoutes(service), document.plain
    add("/v1/games", data.games, "games", partial(plain, 429))
    add("/v1/games/{game}", data.game, "game", partial(plain, 404, 429, path=["game"]))
    add("/v1/tables", data.tables, "tables", partial(plain, 429, 503))
    add("/v1/tables/MANIFEST.json", data.tables, "manifest", partial(plain, 429, 503))
    add("/v1/tables/{table}/{file}", data.table_file, "table-file", document.file_of_table)
    named = partial(plain, 404, 429, path=["name"])
    add("/v1/problems/{name}", data.problem, "problem", named)
    add("/healthz", data.health, "health", plain)
    add("/readyz", data.ready, "ready", partial(plain, 503))
    add("/metrics", data.metrics, "metrics", partial(plain, kind="text/plain"))
    app.state.told_later = told_later
    for suffix in ("advice", "advice:batch"):
        app.add_route(f"/v1/games/{{game}}/{suffix}", data.no_game, methods=["GET", "POST"])
    app.add_route("/tables/MANIFEST.json", data.tables)  # where the page has them
    app.add_route("/tables/{table}/{file}", data.table_file)


class _Route(APIRoute):
    """A route whose handler reads the request itself: nothing is parsed on its behalf."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler."""
        return cast("Callable[[Request], Coroutine[Any, Any, Response]]", self.endpoint)


class _Page(StaticFiles):
    """The page's files, with its content security policy."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = PAGE_POLICY
        response.headers["Cache-Control"] = "no-cache"
        return response


def _add_page(app: FastAPI) -> None:
    try:
        from solver.apps.web import site_directory  # noqa: PLC0415  the page is a part of its own
    except ImportError:
        return
    # Not a mount at "/": that would match before a route that exists for another method.
    app.router.default = _Page(directory=site_directory(), html=True)


async def _refuse(request: Request, error: Exception) -> Response:
    """Answer what the framework refuses with a problem."""
    assert isinstance(error, HTTPException)
    kind = _FOR_STATUS.get(error.status_code, "malformed")
    allowed = _methods(request) if error.status_code == 405 else None
    what = {
        "not-found": f"there is nothing at {request.url.path[:200]}",
        "wrong-method": f"{request.method[:20]} is not possible at {request.url.path[:200]}",
    }.get(kind, "the request cannot be answered")
    remedy = f"methods: {allowed}" if allowed else "addresses: GET /v1/openapi.json"
    problem = problem_of(Said(kind, what, remedy))
    return problem_response(problem, headers={"Allow": allowed} if allowed else None)


def _methods(request: Request) -> str:
    """Return the methods that are possible at a request's address, for ``Allow``."""
    found: set[str] = set()
    for route in request.app.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods
    if "GET" in found or not found:  # what is no route may be a file of the page
        found |= {"GET", "HEAD"}
    return ", ".join(sorted(found))
