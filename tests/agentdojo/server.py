"""The kit's AgentDojo server, with the reference solutions of the case that it holds: `GET /reference`.

Run by `run.py` in an environment that has agentdojo, with the kit's folder as its argument.
"""
import json
import sys

sys.path.insert(0, sys.argv[1])

import agentdojo_server  # noqa: E402
import attacks  # noqa: E402


def reference(case):
    """What solves the user's task, and what fulfils the injection's, in the environment of this case."""
    found = {}
    for name in ("user_task", "injection_task"):
        task = getattr(case, name)
        if task is None:
            continue
        calls = [json.loads(call.model_dump_json()) for call in task.ground_truth(case.env.model_copy(deep=True))]
        found[name] = {
            "prompt": getattr(task, "PROMPT", None),
            "calls": [{"tool": call["function"], "args": call["args"]} for call in calls],
            "output": task.GROUND_TRUTH_OUTPUT,
            "ours": False,
        }
    injection = found.get("injection_task")
    if injection and not injection["calls"] and case.suite.name == "workspace":
        injection |= {"calls": attacks.calls(case.injection_task.ID, case.env), "ours": True}
    return found


def again(body):
    """The same case from its start, without reading the suite's files once more."""
    case = state.case
    case.env = case.before.model_copy(deep=True)
    case.trace, case.output, case.errors = [], "", 0
    return case.info()


state = agentdojo_server.State(agentdojo_server.VERSION)
server = state.serve(0)
server.get["/reference"] = lambda: reference(state.case)
server.post = server.post | {"/again": again}
server.run()
