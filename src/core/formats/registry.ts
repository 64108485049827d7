/**
 * The formats this build reads, one line each. Order has no meaning: `detect` decides.
 */
import { claudeCode } from './claude-code/claude-code.ts';
import type { Format } from './format.ts';
import { hindcast } from './hindcast/hindcast.ts';
import { codex } from './codex/codex.ts';
import { geminiCli } from './gemini-cli/gemini-cli.ts';
import { miniSweAgent } from './mini-swe-agent/mini-swe-agent.ts';
import { openCode } from './opencode/opencode.ts';
import { openHands } from './openhands/openhands.ts';
import { otherCli } from './other-cli/other-cli.ts';
import { sweAgent } from './swe-agent/swe-agent.ts';
import { atif } from './atif/atif.ts';
import { agentSight } from './agentsight/agentsight.ts';
import { shepherd } from './shepherd/shepherd.ts';
import { recoveryLab } from './recovery-lab/recovery-lab.ts';
import { jaeger } from './jaeger/jaeger.ts';
import { openinference } from './openinference/openinference.ts';
import { otelDump } from './otel-dump/otel-dump.ts';
import { otlp } from './otlp/otlp.ts';
import { zipkin } from './zipkin/zipkin.ts';

export const formats: readonly Format[] = [
  hindcast,
  claudeCode,
  shepherd,
  agentSight,
  atif,
  sweAgent,
  otherCli,
  openHands,
  openCode,
  miniSweAgent,
  geminiCli,
  codex,
  recoveryLab,
  jaeger,
  openinference,
  otelDump,
  otlp,
  zipkin,
];
