/**
 * What is known of the built-in tools of coding agents from their names (rule `tool-effects`).
 */

const inner: ReadonlySet<string> = new Set(
  `read read_file readfile view open_file cat glob grep ls list list_dir list_directory search search_file_content file_search
  codebase_search read_many_files webfetch web_fetch fetchurl websearch web_search google_web_search todoread todowrite todo_write todolist
  update_plan update_topic think get_goal getgoal tasklist taskoutput cronlist readmediafile view_image read_resource wait_agent
  enter_plan_mode exit_plan_mode enterplanmode exitplanmode askuserquestion list_mcp_resources save_memory recall`.split(
    /\s+/,
  ),
);

const outer: ReadonlySet<string> = new Set(
  `bash shell local_shell exec exec_command write_stdin execute_bash execute_ipython_cell terminal run run_command run_terminal_cmd
  run_shell_command run_ipython write write_file writefile edit multiedit replace patch apply_patch str_replace_editor create_file file_editor
  notebookedit create delete_file croncreate crondelete`.split(/\s+/),
);

const spawning: ReadonlySet<string> = new Set([
  'task',
  'agent',
  'spawn_agent',
  'subagent',
  'delegate_to_agent',
  'agentswarm',
]);

/** Undefined where the name does not tell. */
export function toolToEffect(name: string): 'none' | 'external' | undefined {
  const known = name.toLowerCase();
  return inner.has(known) ? 'none' : outer.has(known) ? 'external' : undefined;
}

export function isSpawnTool(name: string): boolean {
  return spawning.has(name.toLowerCase());
}
