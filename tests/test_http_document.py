"""Every address of the OpenAPI document, asked with whatever its types allow and do not."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from solver.apps.http.app import make_app
from solver.apps.http.settings import Settings

APP = make_app(Settings(rate=0, log_requests=False))
DOCUMENT = schemathesis.openapi.from_asgi("/v1/openapi.json", APP)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
UNHURRIED = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}


@pytest.fixture(scope="module", autouse=True)
def _ready():
    APP.state.service.load()
    assert APP.state.service.failure is None


FEW = DOCUMENT.include(
    path=[
        "/v1/games/martian-dice/advice",
        "/v1/games/martian-dice/advice:batch",
        "/v1/games/{game}",
        "/v1/tables/{table}/{file}",
        "/v1/problems/{name}",
    ]
)


@FEW.parametrize()
@settings(max_examples=6, **UNHURRIED)
def test_a_few_questions_as_the_document_allows_them_or_not_break_nothing(case):
    case.call_and_validate(checks=CHECKS)


@pytest.mark.slow
@DOCUMENT.parametrize()
@settings(max_examples=300, **UNHURRIED)
def test_nothing_breaks_the_service(case):
    case.call_and_validate(checks=CHECKS)
