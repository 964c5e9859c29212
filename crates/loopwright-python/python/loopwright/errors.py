"""The error of a compilation."""

from __future__ import annotations


class CompileError(Exception):
    """A model, a schedule or an option is refused.

    code: the kind, such as "model", "schedule", "target", "option", "compile", "write", "load" or "unreadable".
    message: what was found and what was expected. Notes follow on lines of their own.
    file, line, column: where; None if it is not known. Lines and columns count from 1, columns in bytes.
    """

    def __init__(
        self,
        code: str,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(code, message, file, line, column)
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ": ".join([":".join(place), self.message] if place else [self.message])
