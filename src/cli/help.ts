/** What `hindcast --help` prints. */
export const helpText = `Usage: hindcast COMMAND [options]

  hindcast check FILE… [--json]
      open a trace and say what its records establish; several files are opened together as one trace
  hindcast replay FILE [--edit EDIT.json] [--program FILE] [--run RUN] [--json]
      run the recorded control program again over its record; nothing is sent
  hindcast replay --set FOLDER|FILE… --program FILE [--json]
      run a changed control program over many recorded runs: one verdict a run
  hindcast compare A [B] [--run RUN[,RUN]] [--branch B[,B]] [--json]
      two recorded runs or branches beside each other: the first field in which they differ, and every command that does
  hindcast golden pin FILE -o DIR [--branch B] [--property KIND:TARGET]… [--exempt PATH]… [--json]
      keep what must stay of a run, as a folder fit for a repository
  hindcast golden run DIR… [--program FILE] [-o DIR] [--strict] [--json]
      replay golden cases and say for each property whether it holds
  hindcast simulate FILE [--path P] [--boundary B] [--strategy S] [--model-varies] [--json]
      what would have happened if the worker had died, at every boundary, under every design
  hindcast redact FILE -o OUT [--policy POLICY.json] [--keep CLASS,…] [--json]
      write a redacted copy; everything is withheld or replaced unless a class is kept
  hindcast export FILE… --to hindcast|otlp -o OUT [--branch B] [--json]
      write the trace, whatever its format, as a Hindcast stream or as OTLP JSON that carries every event
  hindcast recovery FILE… [--claim CLAIM.json] [--envelope NOW.json] [--ledger LEDGER] [--tolerance SHARE] [--hold N] [--json]
      judge trials in which processes were killed: what was struck, what happened, what may be quoted; tables of Restate,
      DBOS and LangGraph beside the ledger of a service; rates and latencies (CSV, JSON) with faults
  hindcast survey FOLDER [--markdown] [--json]
      open every file of a folder by itself and print one row for each: what it is and what became of its records
  hindcast schema [event|claim|golden]
      print the JSON Schema of one event line, of a recovery claim, or of a golden case

FILE is a file, or a folder whose files are opened together as one trace. Plain, gzip, zstd and zip are read alike.

Options
  --edit            edits and supplied values: {"edits": […], "supply": […], "reason"}
  --program         another control program, JavaScript or (by its ending .ts) TypeScript; or a reference
                    program by its name: agent-session, chat-loop, mini-swe-agent, openhands, swe-agent,
                    tau-bench, temporal-adk, temporal-openai-agents, temporal-openai-research
  --run             the run to replay, where the trace holds several; of compare one, or two with a comma
  --set             every file by itself, every run in it one of the set
  --branch          the branch to pin, to compare with, or to write alone with its parents
  --name, --reason  of a golden case: how it is called, why it must stay
  --property        decision:PATH, effect:PATH, key:PATH, state:NAME, invariant:RULE, absence:TOOL, 'order:PATH < PATH'; * for all
  --exempt          path of an intended change; what descends from it may differ
  --strict          a property that is not decided fails too
  --path            the write to strike, by its path; without it each one
  --boundary        1, 2, 2late, 3, 4 or 5; with it the story of each trial is told
  --strategy        naive, naive-key, journal, journal-key or reconcile; the naive control is always there
  --model-varies    a model that is asked again gives another text
  --format          the format to read, by its id, where the files are of several
  --trace           the trace to read, by its key, where the files hold several; without it all are read as one
  --to              the form to write: hindcast (one event a line) or otlp (OTLP JSON)
  -o, --output      where the copy is written; never over an existing file
  --policy          a redaction policy, as JSON; classes it does not name stay closed
  --keep            classes of values to keep, by name, separated by commas
  --claim           a recovery claim: {"fault", "protects", "continuation", "clauses": […]}
  --envelope        the envelope of today, as JSON; results obtained under another are called stale
  --ledger          what a service did, one row each (CSV, JSON, JSON lines), with a column of runs: engines' tables are held against it
  --tolerance       share of the baseline by which a sample of a series may fall short and still be stable (0.2)
  --hold            samples in a row that make a series stable again (3)
  --json            one JSON value on standard output (documented in src/cli/README.md)
  --accept-future   read records of a newer version as far as they are understood
  --allow-huge      go on with an archive that unpacks to far more than its size
  -h, --help        this text

Exit codes: 0 fine, 1 findings or divergence, 2 unusable input.`;
