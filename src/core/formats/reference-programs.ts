/**
 * The reference programs that come with the product, and the formats whose loops they are. Their sources stand in `public/programs`, one
 * file an id, served with the page and read by the command line.
 */
export interface ReferenceProgram {
  readonly id: string;
  /** What loop it is, in a few words. */
  readonly title: string;
  readonly formats: readonly string[];
}

export const referencePrograms: readonly ReferenceProgram[] = [
  {
    id: 'agent-session',
    title: 'Coding agent: prompts, answers, tools, sub-agents',
    formats: ['claude-code', 'agent-stream', 'codex', 'gemini-cli', 'opencode', 'atif'],
  },
  { id: 'mini-swe-agent', title: 'mini-swe-agent: commands until one submits', formats: ['mini-swe-agent'] },
  { id: 'swe-agent', title: 'SWE-agent: one command after another until it submits', formats: ['swe-agent'] },
  { id: 'openhands', title: 'OpenHands: calls until it finishes or speaks', formats: ['openhands'] },
  { id: 'tau-bench', title: 'tau-bench: a customer, tools, until one stops', formats: ['tau-bench'] },
  {
    id: 'chat-loop',
    title: 'Agent with recorded requests: model, tools, sub-agents',
    formats: ['otlp', 'otel', 'jaeger', 'zipkin', 'openinference', 'langfuse', 'langsmith', 'openai-agents', 'inspect'],
  },
  { id: 'temporal-openai-agents', title: 'One agent of the OpenAI Agents SDK', formats: ['temporal'] },
  { id: 'temporal-openai-research', title: 'The research sample of the OpenAI Agents SDK', formats: ['temporal'] },
  { id: 'temporal-adk', title: 'Agents of Google’s ADK that hand over', formats: ['temporal'] },
];

export function programsFor(format: string): readonly ReferenceProgram[] {
  return referencePrograms.filter(({ formats }) => formats.includes(format));
}
