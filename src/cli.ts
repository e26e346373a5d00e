// The command line, which bin/ starts. The commands are in src/commands.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError } from 'commander';
import { addBatchCommands } from './commands/batch.ts';
import { addCapCommands } from './commands/cap.ts';
import { addCellCommands } from './commands/cell.ts';
import { addCheckCommand } from './commands/check.ts';
import { createContext, type Terminal } from './commands/command.ts';
import { addConsumerCommands } from './commands/consumer.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDsnCommand } from './commands/dsn.ts';
import { addGuardCommands } from './commands/guard.ts';
import { addInvitationCommands } from './commands/invitation.ts';
import { addInvite, addUpload } from './commands/invite.ts';
import { addMemberCommands } from './commands/member.ts';
import { addOutboxCommand } from './commands/outbox.ts';
import { addRecipientCommands } from './commands/recipient.ts';
import { addResultsCommand } from './commands/results.ts';
import { addRetentionCommands } from './commands/retention.ts';
import { addSecretsCommands } from './commands/secrets.ts';
import { addSendingCommands } from './commands/sending.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addServiceCommands } from './commands/start.ts';
import { addStatusCommand } from './commands/status.ts';
import { addSuppressionCommands } from './commands/suppression.ts';
import { addSurveyCommands } from './commands/survey.ts';
import { addTokenCommands } from './commands/token.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { addWordingCommands } from './commands/wording.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';
import { ConfigError } from './config.ts';
import { constraintMessage } from './constraint-messages.ts';
import { errorCode, isNotReady, NOT_FOUND } from './database/pool.ts';
import { EXIT_CODES, type FailureKind, OperatorError } from './errors.ts';

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

/** @param json Whether runCommand prints errors as JSON. */
export function createProgram(terminal = PROCESS, json = false): Command {
  const program = new Command('invitation-trigger')
    .description("Queues tracked survey invitations from a customer's backend, and sends them. Settings: docs/operations.md.")
    .version(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
    .option('--json', 'print one JSON document')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.stdout, writeErr: json ? () => {} : terminal.stderr })
    .exitOverride();
  const context = createContext(terminal, () => program.opts().json === true);
  addServiceCommands(program, context);
  addSetupCommand(program, context);
  addCheckCommand(program, context);
  addDemoCommand(program, context);
  addWorkspaceCommands(program, context);
  addWordingCommands(program, context);
  addSurveyCommands(program, context);
  addMemberCommands(program, context);
  addTokenCommands(program, context);
  addSendingCommands(program, context);
  addGuardCommands(program, context);
  addCapCommands(program, context);
  addStatusCommand(program, context);
  addRetentionCommands(program, context);
  addWebhookCommands(program, context);
  addSecretsCommands(program, context);
  addConsumerCommands(program, context);
  addInvite(program, context);
  addUpload(program, context);
  addBatchCommands(program, context);
  addInvitationCommands(program, context);
  addRecipientCommands(program, context);
  addSuppressionCommands(program, context);
  addResultsCommand(program, context);
  addDsnCommand(program, context);
  addOutboxCommand(program, context);
  addCellCommands(program, context);
  return program;
}

/** Returns the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal, args.includes('--json')).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Either this is help, or the command has already said what is wrong.
    if (error instanceof CommanderError && (error.exitCode === 0 || !error.code.startsWith('commander.'))) return error.exitCode;
    const { kind, message } = explain(error);
    if (args.includes('--json')) terminal.stderr(`${JSON.stringify({ error: { code: kind, message } })}\n`);
    // For its own errors and help, Commander has already printed the text.
    else if (!(error instanceof CommanderError)) terminal.stderr(`${message}\n`);
    return EXIT_CODES[kind];
  }
}

interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
}

/** Repeats PostgreSQL's message only if it contains no data of a row. A bug is shown with its stack. */
function explain(error: unknown): Failure {
  const { message, stack = message } = error as Error;
  if (error instanceof OperatorError) return { kind: error.kind, message };
  if (error instanceof ConfigError) return { kind: 'setup', message };
  if (error instanceof CommanderError) return { kind: 'usage', message: message.replace(/^error: /, '') };
  const code = errorCode(error) ?? '';
  const rule = constraintMessage(error);
  if (rule !== undefined) return { kind: 'rejected', message: rule };
  const { constraint_name: constraint = '' } = error as { constraint_name?: string };
  if (/^(3F000|42P01|42883|42704)$/.test(code)) {
    return { kind: 'setup', message: 'The database is not at this version: run `invitation-trigger migrate`.' };
  }
  if (code === '42501') {
    // The message names an object of the database and contains no data of a row.
    return {
      kind: 'setup',
      message: `The database role in DATABASE_URL may not do this (${message}): use the owner's, or invite_admin's.`,
    };
  }
  if (code === NOT_FOUND) return { kind: 'not_found', message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` };
  const id = /^22(P02|003)$/.test(code) ? /(?:type \w+: |value )(".*")/.exec(message)?.[1] : undefined;
  if (id !== undefined) return { kind: 'not_found', message: `This is not an id: ${id}.` };
  if (/^(22|23)/.test(code)) {
    return { kind: 'rejected', message: `The database rejected a value (${`${code} ${constraint}`.trim()}).` };
  }
  if (isNotReady(error)) {
    // Errors of the driver and the network have a message that says more than the code.
    const what = /^[0-9A-Z]{5}$/.test(code) ? '' : `: ${message || 'no response'}`;
    return { kind: 'unavailable', message: `The database is not available (${code})${what}.` };
  }
  return { kind: 'internal', message: stack };
}

export async function main(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly);
  process.exitCode = await runCommand(process.argv.slice(2), PROCESS);
}

/** Ends quietly if the reader of the output stops reading, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

if (import.meta.main) await main();
