/**
 * The formats this build reads, one line each. Order has no meaning: `detect` decides.
 */
import { agentStream } from './agent-stream/agent-stream.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { codex } from './codex/codex.ts';
import type { Format } from './format.ts';
import { geminiCli } from './gemini-cli/gemini-cli.ts';
import { hindcast } from './hindcast/hindcast.ts';
import { jaeger } from './jaeger/jaeger.ts';
import { otherCli } from './other-cli/other-cli.ts';
import { otlp } from './otlp/otlp.ts';
import { miniSweAgent } from './mini-swe-agent/mini-swe-agent.ts';
import { agentSight } from './agentsight/agentsight.ts';
import { atif } from './atif/atif.ts';
import { shepherd } from './shepherd/shepherd.ts';
import { openHands } from './openhands/openhands.ts';
import { openCode } from './opencode/opencode.ts';
import { recoveryLab } from './recovery-lab/recovery-lab.ts';
import { sweAgent } from './swe-agent/swe-agent.ts';
import { langfuse } from './langfuse/langfuse.ts';
import { openinference } from './openinference/openinference.ts';
import { otelDump } from './otel-dump/otel-dump.ts';
import { zipkin } from './zipkin/zipkin.ts';
import { langsmith } from './langsmith/langsmith.ts';
import { openaiAgents } from './openai-agents/openai-agents.ts';
import { inspect } from './inspect/inspect.ts';
import { tauBench } from './tau-bench/tau-bench.ts';
import { agentChat } from './autogen/agentchat.ts';
import { autogen } from './autogen/autogen.ts';
import { managedAgents } from './anthropic-managed-agents/managed-agents.ts';
import { langgraph } from './langgraph/langgraph.ts';
import { inngest } from './inngest/inngest.ts';
import { temporal } from './temporal/temporal.ts';

export const formats: readonly Format[] = [
  hindcast,
  claudeCode,
  agentStream,
  codex,
  geminiCli,
  openCode,
  agentSight,
  atif,
  shepherd,
  openHands,
  otherCli,
  miniSweAgent,
  sweAgent,
  otlp,
  recoveryLab,
  langfuse,
  jaeger,
  openinference,
  otelDump,
  zipkin,
  langsmith,
  openaiAgents,
  inspect,
  tauBench,
  autogen,
  agentChat,
  managedAgents,
  langgraph,
  temporal,
  inngest,
];
