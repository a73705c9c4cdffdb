//! Judges recorded answers as a user's run would: through a model that gives them, with the compiler's fixes, the
//! manifest's arguments and grants.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use lacuna::diagnostic::{Cause, Level};
use lacuna::plan::{Inputs, Invocation, arguments};
use lacuna::{Error, Fill, Hole, Lacuna, Plan, value};

use super::report::{Answered, Line, Value};
use super::support::program;
use super::task::{Task, answer};

/// One engine for all tasks, with the cache that all tests share.
static LACUNA: LazyLock<Lacuna> =
    LazyLock::new(|| Lacuna::builder().cache(program::cache()).build().unwrap());
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().unwrap());

/// The verdict on every recorded answer of these tasks, in their order.
pub(crate) fn judge_all(tasks: &[Task]) -> Result<Vec<Line>, String> {
    in_parallel(tasks, |task| {
        let answers = (task.recordings().iter().enumerate())
            .map(|(index, recording)| {
                judge(task, recording).map_err(|e| format!("{}.{}: {e}", task.name, index + 1))
            })
            .collect::<Result<_, _>>()?;
        Ok(Line {
            task: task.name.clone(),
            answers,
        })
    })
}

/// Does something for every task on all cores; the results keep the order.
pub(crate) fn in_parallel<T: Send>(
    tasks: &[Task],
    work: impl Fn(&Task) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let queue = Mutex::new(tasks.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some((index, task)) = queue.lock().unwrap().next() else {
                        return;
                    };
                    let result = work(task);
                    done.lock().unwrap().push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// One answer, as the first that its hole gets: whatever was answered before does not matter.
fn judge(task: &Task, recording: &str) -> Result<Answered, String> {
    let place = task.place();
    let scratch = program::scratch();
    fs::write(scratch.join(format!("{}.1.md", task.name)), recording).unwrap();
    let plan = load(&place.folder)?.with_model(format!("replay:{}", scratch.display()));
    let hole = plan.entry(None).map_err(|error| error.to_string())?;
    let judged = RUNTIME.block_on(async {
        // A rejected answer is followed by a request for another one, which is not there.
        let report = hole.try_fill().await.map_err(|error| error.to_string())?;
        let Some(first) = report.attempts.first() else {
            let error = report.result.err();
            return Err(error.map_or_else(String::new, |error| error.to_string()));
        };
        let verdict = &first.verdict;
        let fixes = verdict.repaired.len();
        if let Some(stage) = verdict.stage {
            let first = (verdict.diagnostics.iter()).find(|found| found.level == Level::Error);
            let code = first.and_then(|found| found.code.clone());
            return Ok(Answered::Rejected {
                stage: stage.name().to_owned(),
                code: code.unwrap_or_else(|| "-".to_owned()),
                cause: Cause::of(stage, &verdict.diagnostics).name().to_owned(),
                fixes,
            });
        }
        let fill = report.result.map_err(|error| error.to_string())?;
        let value = match run(task, &plan, &hole, &fill).await? {
            Value::Right if !task.wrote_what_it_must(&place) => Value::Wrong,
            value => value,
        };
        Ok(Answered::Accepted { fixes, value })
    });
    fs::remove_dir_all(&scratch).unwrap();
    judged
}

/// Calls an accepted answer as the command line would.
async fn run(task: &Task, plan: &Plan, hole: &Hole, fill: &Fill) -> Result<Value, String> {
    let mut printed = String::new();
    let calls = invocations(task, plan, hole)?;
    let mut instance = fill.instance().await.map_err(|error| error.to_string())?;
    for call in &calls {
        match instance.invoke(call).await {
            Ok(called) => printed.push_str(&format!("{}\n", called.wave())),
            Err(Error::Failed { failure, .. }) => return Ok(Value::of_failure(failure.outcome())),
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(if printed == task.expected()? {
        Value::Right
    } else {
        Value::Wrong
    })
}

/// The calls that a task makes.
fn invocations(task: &Task, plan: &Plan, hole: &Hole) -> Result<Vec<Invocation>, String> {
    let inputs = Inputs {
        calls: task.calls(),
        ..Inputs::default()
    };
    let mut read = |input: arguments::Input<'_>| match input {
        arguments::Input::File(path) => fs::read(path),
        arguments::Input::Stdin => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map(|_| bytes)
        }
    };
    arguments::resolve(plan.parsed(), hole.declared(), &inputs, &mut read)
        .map_err(|error| error.to_string())
}

fn load(folder: &Path) -> Result<Plan, String> {
    let plan = LACUNA.load(folder.join("plan.wit"));
    plan.map_err(|error| error.to_string())
}

/// A task is well formed: its plan loads, its world has its name, there is a prompt and a value for every parameter, and
/// what is expected is written as results are printed.
pub(crate) fn is_well_formed(task: &Task) -> Result<(), String> {
    let plan = load(&task.folder)?;
    let hole = plan.entry(None).map_err(|error| error.to_string())?;
    if hole.name() != task.name {
        return Err(format!("the world is called `{}`", hole.name()));
    }
    if hole
        .described()
        .map_err(|error| error.to_string())?
        .task
        .trim()
        .is_empty()
    {
        return Err("the world has no doc comment".to_owned());
    }
    let calls = invocations(task, &plan, &hole)?;
    let expected = task.expected()?;
    let lines: Vec<&str> = expected.lines().collect();
    if lines.len() != calls.len() {
        return Err(format!(
            "{} calls, but {} expected values",
            calls.len(),
            lines.len()
        ));
    }
    for (line, call) in lines.iter().zip(&calls) {
        let Some(ty) = &call.result else { continue };
        let read = value::parse_wave(line, ty).map_err(|error| format!("expected.txt: {error}"))?;
        let printed = value::to_wave(&read);
        if printed != *line {
            return Err(format!(
                "expected.txt has\n{line}\nwhich is printed as\n{printed}"
            ));
        }
    }
    Ok(())
}

/// The prompts that a run sends while the recorded answers are given in order, the last one without an answer if the last
/// recorded answer is rejected. They are what arrives at a model's program, so nothing can differ from a user's run.
pub(crate) fn prompts(task: &Task) -> Result<Vec<String>, String> {
    let place = task.place();
    let scratch = program::scratch();
    let recordings = task.recordings();
    for (index, recording) in recordings.iter().enumerate() {
        let file = scratch.join(format!("answer.{}", index + 1));
        fs::write(file, answer(recording)).unwrap();
    }
    let script = scratch.join("model.sh");
    fs::write(&script, MODEL).unwrap();
    let model = format!("command:sh {} {}", script.display(), scratch.display());
    let plan = load(&place.folder)?.with_model(model);
    let hole = plan.entry(None).map_err(|error| error.to_string())?;
    let report = RUNTIME
        .block_on(hole.try_fill())
        .map_err(|error| error.to_string())?;
    let sent: Vec<String> = (1..)
        .map_while(|attempt| fs::read_to_string(scratch.join(format!("prompt.{attempt}"))).ok())
        .collect();
    fs::remove_dir_all(&scratch).unwrap();
    let judged = report.attempts.len();
    let open = matches!(report.result, Err(Error::Model { .. }));
    if judged + usize::from(open) != sent.len() {
        let why = report.result.err().map(|error| error.to_string());
        return Err(format!(
            "{} prompts, {judged} answers: {}",
            sent.len(),
            why.unwrap_or_default()
        ));
    }
    Ok(sent)
}

/// A model that keeps what it is asked and gives the answer of that number, or fails if there is none.
const MODEL: &str = r#"set -e
cd "$1"
n=1
while [ -e "prompt.$n" ]; do n=$((n + 1)); done
cat > "prompt.$n"
cat "answer.$n"
"#;
