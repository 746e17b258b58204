"""Some addresses of the OpenAPI document, each asked a little; test_http_document.py runs this."""

from http_document import CHECKS, DOCUMENT, UNHURRIED, _ready  # noqa: F401  a fixture
from hypothesis import settings

FEW = DOCUMENT.include(
    path=[
        "/v1/games/martian-dice/advice",
        "/v1/games/martian-dice/advice:batch",
        "/v1/review",
        "/v1/games/{game}",
        "/v1/tables/{table}/{file}",
        "/v1/problems/{name}",
    ]
)


@FEW.parametrize()
@settings(max_examples=6, **UNHURRIED)
def test_a_few_questions_break_nothing(case):
    case.call_and_validate(checks=CHECKS)
