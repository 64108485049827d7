/** What `hindcast --help` prints. */
export const helpText = `Usage: hindcast COMMAND [options]

  hindcast check FILE… [--json]
      open a trace and say what its records establish; several files are opened together as one trace
  hindcast replay FILE [--edit EDIT.json] [--program FILE] [--run RUN] [--json]
      run the recorded control program again over its record; nothing is sent
  hindcast redact FILE -o OUT [--policy POLICY.json] [--keep CLASS,…] [--json]
      write a redacted copy; everything is withheld or replaced unless a class is kept
  hindcast export FILE… --to hindcast|otlp -o OUT [--json]
      write the trace, whatever its format, as a Hindcast stream or as OTLP JSON that carries every event
  hindcast recovery FILE… [--claim CLAIM.json] [--envelope NOW.json] [--json]
      judge trials in which processes were killed: what was struck, what happened, what may be quoted
  hindcast survey FOLDER [--markdown] [--json]
      open every file of a folder by itself and print one row for each: what it is and what became of its records
  hindcast schema [event|claim]
      print the JSON Schema of one event line, or of a recovery claim

FILE is a file, or a folder whose files are opened together as one trace. Plain, gzip, zstd and zip are read alike.

Options
  --edit            edits and supplied values: {"edits": […], "supply": […], "reason"}
  --program         another control program, JavaScript or (by its ending .ts) TypeScript
  --run             the run to replay, where the trace holds several
  --format          the format to read, by its id, where the files are of several
  --trace           the trace to read, by its key, where the files hold several; without it all are read as one
  --to              the form to write: hindcast (one event a line) or otlp (OTLP JSON)
  -o, --output      where the copy is written; never over an existing file
  --policy          a redaction policy, as JSON; classes it does not name stay closed
  --keep            classes of values to keep, by name, separated by commas
  --claim           a recovery claim: {"fault", "protects", "continuation", "clauses": […]}
  --envelope        the envelope of today, as JSON; results obtained under another are called stale
  --json            one JSON value on standard output (documented in src/cli/README.md)
  --accept-future   read records of a newer version as far as they are understood
  --allow-huge      go on with an archive that unpacks to far more than its size
  -h, --help        this text

Exit codes: 0 fine, 1 findings or divergence, 2 unusable input.`;
