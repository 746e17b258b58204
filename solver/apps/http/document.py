"""The OpenAPI document: what may be asked and what comes back, from the same types as the code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from solver.advisor import Advice
from solver.apps.answers.boards import BoardQuestion
from solver.apps.answers.desk import SCHEMA
from solver.apps.answers.problem import STATUS, Problem
from solver.apps.answers.question import MOST_RECORD_LETTERS, Form, RecordQuestion
from solver.apps.http.settings import BATCH

_REF = "#/components/schemas/{name}"
_DESCRIPTION = """Should I roll? Push-your-luck dice games, solved.

Fields of a question are named like the options of the command `should-i-roll advise`, and an
answer is the JSON that it prints. Errors are problems (RFC 9457). All answers come from tables
that were verified at the start; a match that is in no table is refused (`needs-solving`).
"""


def info() -> dict[str, Any]:
    """Return title, version and description."""
    return {
        "title": "should-i-roll",
        "version": f"{SCHEMA}.0.0",
        "description": _DESCRIPTION,
        "license_info": {"name": "MIT", "identifier": "MIT"},
    }


def components(forms: Iterable[Form]) -> dict[str, Any]:
    """Return the schemas that operations refer to."""
    from solver.advisor.review import Review  # noqa: PLC0415  the document alone takes it

    shapes = [form.shape for form in forms]
    _, found = msgspec.json.schema_components(
        [Advice, Problem, Review, RecordQuestion, BoardQuestion, *shapes], ref_template=_REF
    )
    found["Answer"] = {
        "title": "Answer",
        "description": "An answer in a batch: an advice, or the problem with the question.",
        "type": "object",
        "oneOf": [
            {"required": ["advice"], "properties": {"advice": _ref("Advice")}},
            {"required": ["problem"], "properties": {"problem": _ref("Problem")}},
        ],
    }
    return found


def advice_get(form: Form) -> dict[str, Any]:
    """Return what OpenAPI says beside the route of questions in a query."""
    _, names = msgspec.json.schema_components([form.shape], ref_template=_REF)
    shape = names[form.shape.__name__]["properties"]
    parameters = []
    for name in form.known:
        known = shape[name]
        schema: dict[str, Any] = {"type": "string", "maxLength": 1000}
        if name in form.flags:
            schema = {"type": "boolean"}
        if name == "set":
            schema = {"type": "array", "items": schema, "maxItems": 32}
        if name == "objective":
            schema["maxLength"] = 40
        parameter = {"name": name, "in": "query", "required": False, "schema": schema}
        parameter["description"] = known.get("description", "")
        if "examples" in known:
            parameter["example"] = known["examples"][0]
        parameters.append(parameter)
    condition = {"name": "If-None-Match", "in": "header", "required": False}
    parameters.append({**condition, "schema": {"type": "string"}})
    answers = _responses("Advice", [400, 413, 422, 429, 503])
    answers["304"] = {"description": "What the caller has is still right"}
    return {"parameters": parameters, "responses": answers}


def advice_post(form: Form) -> dict[str, Any]:
    """Return what OpenAPI says beside the route of a question in a body."""
    return {
        "requestBody": _body(_ref(form.shape.__name__)),
        "responses": _responses("Advice", [400, 413, 415, 422, 429, 503]),
    }


def advice_batch(form: Form) -> dict[str, Any]:
    """Return what OpenAPI says beside the route of a batch."""
    questions = {"type": "array", "minItems": 1, "maxItems": BATCH}
    return {
        "requestBody": _body(
            {
                "type": "object",
                "required": ["positions"],
                "additionalProperties": False,
                "properties": {"positions": {**questions, "items": _ref(form.shape.__name__)}},
            }
        ),
        "responses": _responses(
            {
                "type": "object",
                "required": ["answers"],
                "properties": {"answers": {"type": "array", "items": _ref("Answer")}},
            },
            [400, 413, 415, 422, 429, 503],
        ),
    }


def board() -> dict[str, Any]:
    """Return what OpenAPI says beside the route of positions on the board."""
    return {
        "requestBody": _body(_ref(BoardQuestion.__name__)),
        "responses": _responses("Advice", [400, 413, 415, 422, 429, 503]),
    }


def review() -> dict[str, Any]:
    """Return what OpenAPI says beside the route of reviews."""
    told = _body(_ref(RecordQuestion.__name__))
    about = {"type": "string", "maxLength": MOST_RECORD_LETTERS}
    told["content"]["text/plain"] = {"schema": about}
    return {
        "requestBody": told,
        "responses": _responses("Review", [400, 413, 415, 422, 429, 503]),
    }


def plain(*problems: int, path: Iterable[str] = (), kind: str = "application/json") -> Any:
    """Return what OpenAPI says beside a route of data.

    Parameters
    ----------
    *problems
        Statuses of problems that it answers with.
    path
        Names in its address.
    kind
        Content type of what it returns.
    """
    schema = {"type": "object"} if kind == "application/json" else {"type": "string"}
    answers = _responses(schema, list(problems), kind)
    told: dict[str, Any] = {"responses": answers}
    if path:
        told["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in path
        ]
    return told


def file_of_table() -> dict[str, Any]:
    """Return what OpenAPI says beside the route of a table's file."""
    told: dict[str, Any] = plain(
        404, 416, 429, 503, path=("table", "file"), kind="application/octet-stream"
    )
    told["parameters"] += [
        {"name": name, "in": "header", "required": False, "schema": {"type": "string"}}
        for name in ("Range", "If-Range", "If-None-Match")
    ]
    some = dict(told["responses"]["200"], description="The bytes of the range")
    told["responses"]["206"] = some
    told["responses"]["304"] = {"description": "What the caller has is still right"}
    return told


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _REF.format(name=name)}


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _responses(
    schema: str | dict[str, Any], problems: list[int], kind: str = "application/json"
) -> dict[str, Any]:
    content = _ref(schema) if isinstance(schema, str) else schema
    answers: dict[str, Any] = {
        "200": {"description": "The answer", "content": {kind: {"schema": content}}}
    }
    for status in problems:
        types = ", ".join(name for name, code in STATUS.items() if code == status)
        answers[str(status)] = {
            "description": f"Problem: {types}",
            "content": {"application/problem+json": {"schema": _ref("Problem")}},
        }
        if status in (429, 503):
            seconds = {"description": "Seconds", "schema": {"type": "integer"}}
            answers[str(status)]["headers"] = {"Retry-After": seconds}
    return answers
