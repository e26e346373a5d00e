// The command line, which bin/ starts; the commands are in src/commands.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError } from 'commander';
import { addBatchCommands } from './commands/batch.ts';
import { addCheckCommand } from './commands/check.ts';
import { createContext, type Terminal } from './commands/command.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addInvitationCommands } from './commands/invitation.ts';
import { addMemberCommands } from './commands/member.ts';
import { addOutboxCommand } from './commands/outbox.ts';
import { addRecipientCommands } from './commands/recipient.ts';
import { addResultsCommand } from './commands/results.ts';
import { addRetentionCommands } from './commands/retention.ts';
import { addSendingCommands } from './commands/sending.ts';
import { addServiceCommands } from './commands/start.ts';
import { addSurveyCommands } from './commands/survey.ts';
import { addTokenCommands } from './commands/token.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';
import { ConfigError } from './config.ts';
import { constraintMessage } from './constraint-messages.ts';
import { errorCode, isNotReady } from './database/pool.ts';
import { OperatorError } from './errors.ts';

const PROCESS: Terminal = {
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY,
  ask: process.stdin.isTTY ? askTerminal : undefined,
};

async function askTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

export function createProgram(terminal = PROCESS): Command {
  const program = new Command('invitation-trigger')
    .description("Queues tracked survey invitations from a customer's backend, and sends them. Settings: docs/operations.md.")
    .version(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
    .option('--json', 'print one JSON document')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.stdout, writeErr: terminal.stderr })
    .exitOverride();
  const context = createContext(terminal, () => program.opts().json === true);
  addServiceCommands(program, context);
  addCheckCommand(program, context);
  addDemoCommand(program, context);
  addWorkspaceCommands(program, context);
  addSurveyCommands(program, context);
  addMemberCommands(program, context);
  addTokenCommands(program, context);
  addSendingCommands(program, context);
  addRetentionCommands(program, context);
  addBatchCommands(program, context);
  addInvitationCommands(program, context);
  addRecipientCommands(program, context);
  addResultsCommand(program, context);
  addOutboxCommand(program, context);
  return program;
}

/** Returns the exit code. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its message or help.
    if (error instanceof CommanderError) return error.exitCode;
    terminal.stderr(`${explain(error) ?? (error as Error).stack}\n`);
    return 1;
  }
}

/** Undefined for a defect, which is shown with its stack. */
function explain(error: unknown): string | undefined {
  const { message } = error as Error;
  if (error instanceof OperatorError || error instanceof ConfigError) return message;
  const code = errorCode(error) ?? '';
  const constraint = (error as { constraint_name?: string }).constraint_name;
  if (/^(3F000|42P01|42883|42704)$/.test(code)) {
    return 'The database is not at this version: run `invitation-trigger migrate`.';
  }
  if (code === '42501') return `The database role may not do this: ${message}.`;
  if (code === 'P0002') return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  if (constraint !== undefined) return constraintMessage(error) ?? `The database rejected this value: ${message}.`;
  if (/type uuid/.test(message)) return `This is not an id: ${/".*"/.exec(message)?.[0]}.`;
  if (/^(22|23)/.test(code)) return `The database rejected this value: ${message}.`;
  if (isNotReady(error)) return `The database is not available (${code}): ${message || 'no response'}.`;
  return undefined;
}

export async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), PROCESS);
}

if (import.meta.main) await main();
