#!/usr/bin/env node
// The command line: parses, calls, prints. Each command is in src/commands.
import { Command } from 'commander';
import { explain } from './commands/command.ts';
import { addDemoCommand } from './commands/demo.ts';
import {
  addBatchCommands,
  addMemberCommands,
  addResultCommands,
  addSurveyCommands,
  addTokenCommands,
  addWorkspaceCommands,
} from './commands/manage.ts';
import { addRunCommands } from './commands/run.ts';

export function createProgram(): Command {
  const program = new Command('invitation-trigger')
    .description("Queues tracked survey invitations from a customer's backend, and sends them. Settings: docs/operations.md.")
    .showHelpAfterError('(--help says more)');
  addRunCommands(program);
  addDemoCommand(program);
  addWorkspaceCommands(program);
  addSurveyCommands(program);
  addMemberCommands(program);
  addTokenCommands(program);
  addBatchCommands(program);
  addResultCommands(program);
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
