"""A list of tool calls as the code that a model might have written for a hole.

Types are those of the kit's specifications: "string", "bool", "s64", "f64", {"list": T}, {"option": T}, {"ref": name}.
Values are Python's, as a benchmark's reference solutions have them.
"""


def snake(name):
    return name.replace("-", "_")


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("-"))


def text(value):
    """A string literal of Rust."""
    out = []
    for c in value:
        if c in '"\\':
            out.append("\\" + c)
        elif c.isprintable():
            out.append(c)
        else:
            out.append("\\u{%x}" % ord(c))
    return '"' + "".join(out) + '"'


class Writer:
    """Writes values of one specification's types."""

    def __init__(self, spec):
        self.types = spec["types"]
        self.tools = {tool["name"]: tool for tool in spec["tools"]}
        self.tools |= {tool["wit"]: tool for tool in spec["tools"]}

    def owned(self, kind, value):
        if kind == "string":
            return text(value) + ".to_string()"
        if kind == "bool":
            return "true" if value else "false"
        if kind == "s64":
            return str(int(value))
        if kind == "f64":
            return repr(float(value))
        if "option" in kind:
            return "None" if value is None else f"Some({self.owned(kind['option'], value)})"
        if "list" in kind:
            return "vec![" + ", ".join(self.owned(kind["list"], item) for item in value) + "]"
        named = self.types[kind["ref"]]
        if named["kind"] == "enum":
            case = next(c for c in named["cases"] if value in (c["python"], c["name"]))
            return f"{pascal(kind['ref'])}::{pascal(case['name'])}"
        if named["kind"] == "record":
            if extra := set(value) - {field["python"] for field in named["fields"]}:
                raise ValueError(f"{kind['ref']} has no field {', '.join(sorted(extra))}")
            fields = [f"{snake(f['name'])}: {self.owned(f['type'], value.get(f['python']))}" for f in named["fields"]]
            return f"{pascal(kind['ref'])} {{ {', '.join(fields)} }}"
        case = next(c for c in named["cases"] if c.get("send") in value)
        return f"{pascal(kind['ref'])}::{pascal(case['name'])}({self.owned(case['type'], value[case['send']])})"

    def lent(self, kind, value):
        """An argument: texts, lists and records are borrowed."""
        if kind == "string":
            return text(value)
        if isinstance(kind, dict) and "option" in kind:
            return "None" if value is None else f"Some({self.lent(kind['option'], value)})"
        if isinstance(kind, dict) and "list" in kind:
            return "&[" + ", ".join(self.owned(kind["list"], item) for item in value) + "]"
        if isinstance(kind, dict) and self.types[kind["ref"]]["kind"] != "enum":
            return "&" + self.owned(kind, value)
        return self.owned(kind, value)

    def call(self, tool, arguments):
        tool = self.tools[tool]
        given = {snake(name): value for name, value in arguments.items()}
        values = []
        for parameter in tool["params"]:
            kind, name = parameter["type"], parameter["name"]
            optional = isinstance(kind, dict) and "option" in kind
            value = given.pop(name, None if optional else parameter.get("default"))
            values.append(self.lent(kind, value))
        if given:
            raise ValueError(f"{tool['name']} has no parameter {', '.join(given)}")
        return f"{snake(tool['interface'])}::{snake(tool['wit'])}({', '.join(values)})"

    def body(self, calls, answer):
        """The body of `run`: the calls in order, whatever each returns, then the answer."""
        lines = [f"note({self.call(call['tool'], call['args'])});" for call in calls]
        if calls:
            lines.append("fn note<T>(result: Result<T, ToolError>) {")
            lines.append("    if let Err(error) = result { println!(\"{}: {}\", error.kind, error.message); }")
            lines.append("}")
        return "\n".join([*lines, text(answer) + ".to_string()"]) + "\n"
