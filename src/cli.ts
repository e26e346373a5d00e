#!/usr/bin/env node
// The command line: parses, calls, prints. Each command is in src/commands.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addBatchCommands, addResultCommands } from './commands/batch.ts';
import { addCancelCommands } from './commands/cancel.ts';
import { explain } from './commands/command.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addEraseCommand } from './commands/erase.ts';
import { addMemberCommands } from './commands/member.ts';
import { addOutboxCommand } from './commands/outbox.ts';
import { addRetryCommands } from './commands/retry.ts';
import { addRunCommands } from './commands/run.ts';
import { addSurveyCommands } from './commands/survey.ts';
import { addTokenCommands } from './commands/token.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';

export function createProgram(): Command {
  const program = new Command('invitation-trigger')
    .description("Queues tracked survey invitations from a customer's backend, and sends them. Settings: docs/operations.md.")
    .version(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
  addRunCommands(program);
  addDemoCommand(program);
  addWorkspaceCommands(program);
  addSurveyCommands(program);
  addMemberCommands(program);
  addTokenCommands(program);
  addBatchCommands(program);
  addResultCommands(program);
  addCancelCommands(program);
  addRetryCommands(program);
  addEraseCommand(program);
  addOutboxCommand(program);
  return program;
}

if (import.meta.main) {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    const line = explain(error);
    process.stderr.write(line === undefined ? `${(error as Error).stack}\n` : `${line}\n`);
    process.exitCode = 1;
  }
}
