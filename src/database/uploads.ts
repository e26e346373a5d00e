// Uploads: lists of people that a member or the command line invites.
import type { Forecast } from './forecasts.ts';
import type { UnsentReason } from './invitations.ts';
import type { Queries, Row } from './mapping.ts';
import type { REJECTED_OUTCOMES, Recipient } from './trigger-requests.ts';

/** The most lines of a list. */
export const MAX_UPLOAD_LINES = 20_000;

/** What becomes of a line. Those from `suppressed` on are not invited. */
export const LINE_OUTCOMES = [
  'new',
  'resting',
  'outside_hours',
  'capped',
  'unsent',
  'suppressed',
  'declined',
  'repeated',
  'invalid',
] as const;
export type LineOutcome = (typeof LINE_OUTCOMES)[number];
/** These are not invited. */
export const LEFT_OUT = ['suppressed', 'declined', 'repeated', 'invalid'] as const satisfies readonly LineOutcome[];

/** What a column means. `null`: it is left out. */
export const COLUMN_MEANINGS = ['email', 'name', 'language', 'time_zone', 'metadata'] as const;
export type ColumnMeaning = (typeof COLUMN_MEANINGS)[number] | null;

export interface UploadColumn {
  /** The heading. Empty: the list has none. */
  readonly name: string;
  readonly as: ColumnMeaning;
}

export interface NewLine {
  /** The line of the file, from 1. */
  readonly number: number;
  /** Left out: those that are stored. */
  readonly cells?: readonly string[];
  /** Undefined: no recipient can be made of it. */
  readonly recipient: Recipient | undefined;
}

export interface UploadLine {
  readonly number: number;
  readonly outcome: LineOutcome;
  readonly cells: readonly string[];
  readonly email: string | null;
  readonly recipient: Recipient | null;
  readonly leavesAt: Date | null;
  readonly reason: UnsentReason | null;
}

export type UploadState = 'reading' | 'checked' | 'sending' | 'sent' | 'cancelling' | 'cancelled';

export interface UploadCard {
  readonly id: string;
  readonly name: string;
  readonly state: UploadState;
  /** Why its next batch was rejected. */
  readonly waitsFor: (typeof REJECTED_OUTCOMES)[number] | null;
  readonly columns: readonly UploadColumn[];
  readonly lines: number;
  /** Lines that are to be invited, and those of them that are. */
  readonly people: number;
  readonly accepted: number;
  /** Null: as soon as they are accepted. */
  readonly sendAt: Date | null;
  readonly createdBy: string;
  readonly sentBy: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly endedAt: Date | null;
  readonly batches: number;
}

/** One upload, with what its page needs. */
export interface Upload extends UploadCard {
  /** Lines that aren't invited, yet or at all. */
  readonly counts: Readonly<Partial<Record<LineOutcome, number>>>;
  /** When the last of its people are accepted, because of the hourly quota. Null: now. */
  readonly acceptedUntil: Date | null;
  readonly tokenId: string | null;
  /** The last upload with the same lines. */
  readonly sentBefore: string | null;
  readonly sentBeforeAt: Date | null;
  readonly sentBeforeBy: string | null;
}

/** What check_upload is told. */
export interface UploadCheck {
  readonly columns?: readonly UploadColumn[] | undefined;
  /** SHA-256 of its cells. */
  readonly digest?: Buffer | undefined;
  /** Local time, `YYYY-MM-DDTHH:MM`. Undefined: as soon as possible. */
  readonly sendAt?: string | undefined;
  readonly zone: string;
}

export function uploadsCalls({ sql, value, json, one, records }: Queries) {
  return {
    createUpload: (surveyId: string, name: string) => value<string>(sql`select invite.create_upload(${surveyId}, ${name})`),

    putUploadLines: async (uploadId: string, lines: readonly NewLine[]): Promise<void> => {
      await sql`select invite.put_upload_lines(${uploadId}, ${json(lines)})`;
    },

    checkUpload: async (uploadId: string, { columns, digest, sendAt, zone }: UploadCheck): Promise<void> => {
      await sql`
        select invite.check_upload(${uploadId}, ${json(columns)}, ${digest ?? null}, ${sendAt ?? null}::text::timestamp, ${zone})`;
    },

    sendUpload: async (uploadId: string, again: boolean): Promise<void> => {
      await sql`select invite.send_upload(${uploadId}, ${again})`;
    },

    cancelUpload: async (uploadId: string): Promise<void> => {
      await sql`select invite.cancel_upload(${uploadId})`;
    },

    async findUpload(uploadId: string): Promise<Row | null> {
      const [row] = await sql<Row[]>`select * from invite.upload_overview where id = ${uploadId}`;
      return row ?? null;
    },

    /** Lines that are not invited, in order. */
    leftOutLines: (uploadId: string, maxRows: number) =>
      records<UploadLine>(sql`
        select number, outcome, cells, email, recipient, leaves_at, reason
        from invite.upload_lines
        where upload_id = ${uploadId} and outcome::text = any (${[...LEFT_OUT]})
        order by number limit ${maxRows}`),

    forecastUpload: (uploadId: string) =>
      one<Forecast>(sql`
        select (jsonb_populate_record(null::invite.forecast, u.forecast)).* from invite.uploads as u where u.id = ${uploadId}`),

    /** Of each workspace the upload that is next. */
    dueUploads: () => value<string[]>(sql`select invite.due_uploads()`),

    /** Accepts or cancels the next batch of an upload. */
    stepUpload: async (uploadId: string): Promise<void> => {
      await sql`select invite.step_upload(${uploadId})`;
    },
  };
}

export function consoleUploadsCalls({ sql, value, json, one, records }: Queries) {
  return {
    createUpload: (session: Buffer, surveyId: string, name: string) =>
      value<string>(sql`select console.create_upload(${session}, ${surveyId}, ${name})`),

    putUploadLines: async (session: Buffer, surveyId: string, uploadId: string, lines: readonly NewLine[]): Promise<void> => {
      await sql`select console.put_upload_lines(${session}, ${surveyId}, ${uploadId}, ${json(lines)})`;
    },

    checkUpload: async (
      session: Buffer,
      surveyId: string,
      uploadId: string,
      { columns, digest, sendAt, zone }: UploadCheck,
    ): Promise<void> => {
      await sql`
        select console.check_upload(
          ${session}, ${surveyId}, ${uploadId}, ${json(columns)}, ${digest ?? null}, ${sendAt ?? null}::text::timestamp, ${zone})`;
    },

    /** @param sendAt As in UploadCheck. */
    sendUpload: async (
      session: Buffer,
      surveyId: string,
      uploadId: string,
      { again, sendAt, zone }: Pick<UploadCheck, 'sendAt' | 'zone'> & { readonly again: boolean },
    ): Promise<void> => {
      await sql`
        select console.send_upload(${session}, ${surveyId}, ${uploadId}, ${again}, ${sendAt ?? null}::text::timestamp, ${zone})`;
    },

    /** @param unsentOnly Resolves to false if the list has been sent, and leaves it. */
    cancelUpload: (session: Buffer, surveyId: string, uploadId: string, { unsentOnly = false } = {}) =>
      value<boolean>(sql`select console.cancel_upload(${session}, ${surveyId}, ${uploadId}, ${unsentOnly})`),

    listUploads: (session: Buffer, surveyId: string, maxRows: number) =>
      records<UploadCard>(sql`select * from console.uploads(${session}, ${surveyId}, max_rows => ${maxRows})`),

    findUpload: (session: Buffer, surveyId: string, uploadId: string) =>
      one<Upload>(sql`select * from console.uploads(${session}, ${surveyId}, ${uploadId})`),

    /** @param outcomes Undefined: all. */
    uploadLines: (
      session: Buffer,
      surveyId: string,
      uploadId: string,
      outcomes: readonly LineOutcome[] | undefined,
      after: number,
      maxRows: number,
    ) =>
      records<UploadLine>(sql`
        select * from console.upload_lines(
          ${session}, ${surveyId}, ${uploadId}, ${outcomes === undefined ? null : [...outcomes]}::text[], ${after}, ${maxRows})`),

    uploadForecast: (session: Buffer, surveyId: string, uploadId: string) =>
      one<Forecast>(sql`select * from console.upload_forecast(${session}, ${surveyId}, ${uploadId})`),
  };
}
