"""The kit's τ² server, with the reference solution of the task that it holds: `GET /reference`.

Run by `run.py` in an environment that has τ²-bench, with the kit's folder as its argument.
"""
import sys

KIT = sys.argv.pop(1)
sys.path.insert(0, KIT)

import tau2_server  # noqa: E402


def reference(case):
    """The actions in their order, with who makes each, and what must be said to the user."""
    criteria = case.task.evaluation_criteria
    return {
        "actions": [
            {"tool": action.name, "args": action.arguments, "who": "user" if action.requestor == "user" else "agent"}
            for action in criteria.actions or []
        ],
        "say": list(criteria.communicate_info or []),
        "basis": [basis.value for basis in criteria.reward_basis],
    }


state = tau2_server.State()
server = state.serve(0)
server.get["/reference"] = lambda: reference(state.case)
server.run()
