// invite: invites the people of a CSV file, as the page Invite people does. upload: shows, sends and cancels such a list.
import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { listError, whyNot } from '../console/invite/list-words.ts';
import {
  COLUMN_MEANINGS,
  type ColumnMeaning,
  type Row,
  type Store,
  type UploadColumn,
  type UploadLine,
} from '../database/store.ts';
import { OperatorError } from '../errors.ts';
import { readUuid } from '../http/ids.ts';
import { foldAscii, formatNumber, plural, toOneLine } from '../text.ts';
import { type ListRules, readList } from '../uploads/read-upload.ts';
import { ListError, readTable } from '../uploads/table.ts';
import { type Context, noSuch, shortSheet } from './command.ts';
import { curve, losses } from './forecast.ts';

/** Lines that aren't invited and are printed. The page has all of them. */
const SHOWN = 20;
const PEOPLE = ['new', 'resting', 'outside_hours', 'capped', 'unsent'] as const;

interface Options {
  readonly columns?: readonly ColumnMeaning[];
  readonly send?: true;
  readonly at?: string;
  readonly zone: string;
  readonly again?: true;
}

function readColumns(text: string): ColumnMeaning[] {
  return text.split(',').map((name) => {
    if (name === '') return null;
    const meaning = COLUMN_MEANINGS.find((known) => known === name);
    if (meaning === undefined) throw new InvalidArgumentError(`A column is one of ${COLUMN_MEANINGS.join(', ')}, or empty.`);
    return meaning;
  });
}

function localTime(text: string): string {
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d$/.test(text)) throw new InvalidArgumentError('It must be a time such as 2030-01-31T09:00.');
  return text;
}

const columnsAs =
  (meanings: readonly ColumnMeaning[]) =>
  (headings: readonly string[] | undefined): UploadColumn[] =>
    meanings.map((as, place) => ({ name: headings?.[place] ?? '', as }));

async function takeFile(store: Store, survey: string, file: string, rules: ListRules, { columns, at, zone }: Options) {
  const id = await store.createUpload(survey, toOneLine(basename(file)).slice(0, 255) || 'list');
  try {
    const lines = readTable(createReadStream(file));
    const read = await readList(lines, rules, (part) => store.putUploadLines(id, part), columns && columnsAs(columns));
    await store.checkUpload(id, { ...read, sendAt: at, zone });
    return { id, columns: read.columns };
  } catch (error) {
    await store.cancelUpload(id);
    if (error instanceof ListError) throw new OperatorError(listError(error), { kind: 'rejected' });
    throw error;
  }
}

const summary = (upload: Row, left: readonly UploadLine[], rules: Parameters<typeof whyNot>[1]): string => {
  const counts = (upload.unaccepted ?? {}) as Record<string, number>;
  const out = Object.entries(counts).reduce(
    (sum, [outcome, count]) => (PEOPLE.some((one) => one === outcome) ? sum : sum + count),
    0,
  );
  return [
    `${plural(Number(upload.lines), 'line')}: ${plural(Number(upload.people), 'person', 'people')} to invite, ${formatNumber(out)} not.`,
    ...left.map((line) => `line ${line.number}  ${whyNot(line, rules)}`),
    ...(out > left.length ? [`and ${formatNumber(out - left.length)} more`] : []),
  ].join('\n');
};

export function addInvite(program: Command, { print, withStore, config }: Context): void {
  program
    .command('invite <survey> <file>')
    .description('show what would happen to each line of a CSV file of people, and invite them with --send')
    .option(
      '--columns <LIST>',
      `what the columns are, in order: ${COLUMN_MEANINGS.join(', ')}, or empty; by their headings if omitted`,
      readColumns,
    )
    .option('--send', 'invite them')
    .option('--at <TIME>', 'when their emails are due, such as 2030-01-31T09:00; now if omitted', localTime)
    .option('--zone <ZONE>', 'time zone of --at, such as Europe/Berlin', 'UTC')
    .option('--again', 'invite them although the same list was sent before')
    .action(async (survey: string, file: string, options: Options) => {
      const isFile = await access(file, constants.R_OK).then(
        async () => (await stat(file)).isFile(),
        () => false,
      );
      if (!isFile) throw new OperatorError(`The file ${file} can't be read.`, { kind: 'usage' });
      const done = await withStore(async (store) => {
        const row = await store.findSurvey(survey);
        if (row === undefined) throw noSuch('survey', survey);
        const zones = new Set((await store.timeZoneNames()).map(foldAscii));
        const isTest = (await store.findWorkspace(String(row.workspace_id)))?.test_of != null;
        const limits = {
          maxRecipients: 1,
          maxMetadataBytes: config().MAX_METADATA_BYTES,
          maxMessageBytes: config().MAX_MESSAGE_BYTES,
        };
        const rules = { limits, isTimeZone: (name: string) => zones.has(foldAscii(name)), isTest };
        const { id, columns } = await takeFile(store, survey, file, rules, options);
        const [left, forecast, checked] = [
          await store.leftOutLines(id, SHOWN),
          await store.forecastUpload(id),
          await store.findUpload(id),
        ];
        if (options.send) await store.sendUpload(id, options.again ?? false);
        const upload = (await store.findUpload(id)) ?? {};
        const text = summary(checked ?? {}, left, { ...rules, columns });
        return { upload, forecast, text, held: row.hold_reason };
      });
      const { upload, forecast, text, held } = done;
      const next = options.send
        ? `They are being invited: upload ${upload.id}.`
        : `Nobody is invited yet. To invite them: invitation-trigger upload send ${upload.id}`;
      const hold = typeof held === 'string' ? [`On hold: ${held}. Their emails wait.`] : [];
      print(
        { ...upload, forecast, hold_reason: held },
        [text, ...hold, ...curve(forecast), ...losses(forecast), '', next].join('\n'),
      );
    });
}

export function addUpload(program: Command, { print, withStore }: Context): void {
  const upload = program.command('upload').description('lists of people: see invite');
  const run = (id: string, change: (store: Store) => Promise<void>) =>
    withStore(async (store) => {
      if (readUuid(id) === undefined || (await store.findUpload(id)) === null) throw noSuch('upload', id);
      await change(store);
      return store.findUpload(id);
    });
  upload
    .command('show <id>')
    .description('show how far a list is')
    .action(async (id: string) => {
      const row = await run(id, async () => {});
      print(row, shortSheet(row ?? {}));
    });
  upload
    .command('send <id>')
    .description('invite the people of a list that was checked')
    .option('--again', 'invite them although the same list was sent before')
    .action(async (id: string, { again = false }: { again?: boolean }) => {
      const row = await run(id, (store) => store.sendUpload(id, again));
      print(row, `${plural(Number(row?.people), 'person is', 'people are')} being invited.`);
    });
  upload
    .command('cancel <id>')
    .description('delete a list that is not sent, or cancel all that it has invited')
    .action(async (id: string) => {
      const row = await run(id, (store) => store.cancelUpload(id));
      print(
        row ?? { id, state: 'deleted' },
        row === null ? 'The list is deleted. Nobody was invited.' : 'Its emails are being cancelled.',
      );
    });
}
