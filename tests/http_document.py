"""Every address of the OpenAPI document, asked at length; test_http_document.py runs this file.

Its questions are made when it is collected, in seconds: so nobody else collects it.
"""

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


@DOCUMENT.parametrize()
@settings(max_examples=300, **UNHURRIED)
def test_nothing_breaks_the_service(case):
    case.call_and_validate(checks=CHECKS)
