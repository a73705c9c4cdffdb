//! Writes down what a model answers, in the form that `replay` reads.
#![expect(clippy::disallowed_methods, reason = "writes recordings")]

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::keys::Secrets;
use super::replay::{Recording, file_name};
use super::{Answer, Completion, Environment, Model, ModelError, Request};

/// Any model, with each answer written to `FOLDER/<path with / as .>.<attempt>.md`.
pub struct Record {
    inner: Arc<dyn Model>,
    folder: PathBuf,
    secrets: Secrets,
}

impl Record {
    /// Records `inner` into `folder`, which is created at the first request.
    pub fn new(inner: Arc<dyn Model>, folder: PathBuf, environment: &Environment) -> Self {
        Self {
            inner,
            folder,
            secrets: environment.secrets(),
        }
    }

    /// A file in the folder, made before the model is asked: an answer that was paid for must not get lost because
    /// there is no place for it.
    fn place(&self, request: &Request<'_>) -> Result<tempfile::NamedTempFile, ModelError> {
        let make = || {
            std::fs::create_dir_all(&self.folder)?;
            let mut builder = tempfile::Builder::new();
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            builder.prefix(".recording-").tempfile_in(&self.folder)
        };
        make().map_err(|error: std::io::Error| self.failed(request, error.to_string()))
    }

    fn failed(&self, request: &Request<'_>, cause: String) -> ModelError {
        ModelError::Recording {
            action: "write",
            file: self.folder.join(file_name(request.path, request.attempt)),
            cause,
        }
    }

    /// The file is written beside its place and renamed, so a run that is interrupted leaves the old recording whole.
    /// Recordings are made to be published: one that holds a key is not written.
    fn write(
        &self,
        mut place: tempfile::NamedTempFile,
        request: &Request<'_>,
        answer: &Answer,
    ) -> Result<(), ModelError> {
        let file = self.folder.join(file_name(request.path, request.attempt));
        let failed = |cause| self.failed(request, cause);
        let whole = Recording::render(request.prompt, self.inner.name(), answer);
        if self.secrets.appear_in(&whole) {
            return Err(failed(
                "the answer holds a key of the environment".to_owned(),
            ));
        }
        place
            .write_all(whole.as_bytes())
            .and_then(|()| place.persist(&file).map_err(|error| error.error))
            .map(drop)
            .map_err(|error| failed(error.to_string()))
    }
}

impl Model for Record {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn complete<'a>(&'a self, request: &'a Request<'a>) -> Completion<'a> {
        Box::pin(async move {
            let place = self.place(request)?;
            let answer = self.inner.complete(request).await?;
            self.write(place, request, &answer)?;
            Ok(answer)
        })
    }
}
