// What a workspace has recipients read in place of the service's own texts.
import { createReadStream } from 'node:fs';
import { Argument, type Command } from 'commander';
import { listError } from '../console/invite/list-words.ts';
import { readTextsCsv, textsCsv } from '../console/translations/text-csv.ts';
import type { Row } from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { canonicalTag, directionOf } from '../languages/languages.ts';
import { plural } from '../text.ts';
import { ListError } from '../uploads/table.ts';
import { type Context, table } from './command.ts';

function tagOf(text: string): string {
  const tag = canonicalTag(text);
  if (tag === undefined) throw new OperatorError(`${JSON.stringify(text)} is no language tag, such as en or pt-BR.`);
  return tag;
}

async function textsIn(file: string): Promise<ReadonlyMap<string, string>> {
  try {
    const read = await readTextsCsv(createReadStream(file));
    if (read === undefined) throw new OperatorError('The file needs a line of headings with the columns name and text.');
    return read.texts;
  } catch (error) {
    if (error instanceof ListError) throw new OperatorError(listError(error));
    throw error;
  }
}

const isOutdated = ({ own_text, original_text, service_text }: Row): boolean =>
  own_text !== null && original_text !== service_text;

export function addWordingCommands(program: Command, { print, withStore }: Context): void {
  const wording = program
    .command('wording')
    .description("a workspace's own words in place of the service's, in emails and on recipients' pages");
  const lines = (workspace: string, language: string) =>
    withStore(async (store) => {
      await store.requireWorkspace(workspace);
      return store.listWordingLines(workspace, language);
    });
  wording
    .command('list <workspace>')
    .description('list the languages that it words itself')
    .action(async (id: string) => {
      const rows = await withStore(async (store) => {
        await store.requireWorkspace(id);
        return store.listWordingLanguages(id);
      });
      const columns = ['language', 'base', 'informal', 'spoken', 'own', 'missing', 'outdated'];
      print(rows, table(rows, columns, 'There are none: the workspace has no words of its own.'));
    });
  wording
    .command('show <workspace> <language>')
    .description("show the texts of a language: the service's, and its own")
    .action(async (id: string, language: string) => {
      const rows = (await lines(id, tagOf(language))).map((row) => ({ ...row, outdated: isOutdated(row) }));
      print(rows, table(rows, ['name', 'service_text', 'own_text', 'outdated'], 'There are none.'));
    });
  wording
    .command('set <workspace> <language> <name> <text>')
    .description("set a text by its name, with the placeholders of the service's")
    .action(async (id: string, tag: string, name: string, text: string) => {
      const language = tagOf(tag);
      await withStore((store) => store.setWording(id, language, { [name]: text }));
      print({ id, language, changed: [name] }, `Workspace ${id}: ${name} set in ${language} (${directionOf(language)}).`);
    });
  wording
    .command('remove <workspace> <language> <name>')
    .description("remove a text, so that recipients read the service's")
    .action(async (id: string, tag: string, name: string) => {
      const language = tagOf(tag);
      await withStore((store) => store.setWording(id, language, { [name]: '' }));
      print({ id, language, changed: [name] }, `Workspace ${id}: ${name} removed in ${language}.`);
    });
  wording
    .command('address')
    .description("say how the service's texts address the reader, in de, es, fr, it and nl")
    .argument('<workspace>')
    .argument('<language>')
    .addArgument(new Argument('<form>').choices(['formal', 'informal']))
    .action(async (id: string, tag: string, form: string) => {
      const language = tagOf(tag);
      await withStore((store) => store.setWording(id, language, {}, form === 'informal'));
      print({ id, language, informal: form === 'informal' }, `Workspace ${id}: ${language} is ${form}.`);
    });
  wording
    .command('export <workspace> <language>')
    .description('print the texts of a language as CSV')
    .action(async (id: string, language: string) => {
      const rows = await lines(id, tagOf(language));
      const csv = textsCsv(
        rows.map((row) => ({
          name: String(row.name),
          original: String(row.service_text),
          text: String(row.own_text ?? ''),
          before: isOutdated(row) ? String(row.original_text ?? '') : undefined,
        })),
      );
      print(rows, csv.trimEnd());
    });
  wording
    .command('import <workspace> <language> <file>')
    .description('set the texts of a CSV file, which has the columns name and text; empty ones stay as they are')
    .option('--dry-run', 'only say what would change', false)
    .action(async (id: string, tag: string, file: string, { dryRun }: { dryRun: boolean }) => {
      const language = tagOf(tag);
      const texts = await textsIn(file);
      const before = new Map((await lines(id, language)).map((row) => [String(row.name), row.own_text]));
      const changes = Object.fromEntries([...texts].filter(([name, text]) => before.get(name) !== text));
      const names = Object.keys(changes);
      if (!dryRun && names.length > 0) await withStore((store) => store.setWording(id, language, changes));
      const list = names.map((name) => `\n  ${name}: ${changes[name]?.replaceAll('\n', ' ')}`).join('');
      print(
        { id, language, changed: names, dry_run: dryRun },
        `Workspace ${id}: ${plural(names.length, 'text')} ${dryRun ? 'would change' : 'changed'} in ${language}.${list}`,
      );
    });
}
