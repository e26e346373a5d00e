// Trigger tokens.
import type { Queries, Row } from './mapping.ts';
import type { EmailQuestion } from './questions.ts';
import type { Sender, TokenTranslation } from './senders.ts';

/** Settings that are left out keep their values. */
export interface TokenSettings {
  readonly name?: string | undefined;
  readonly cooldownSeconds?: number | undefined;
  readonly defaultSubject?: string | undefined;
  readonly defaultMessage?: string | undefined;
  /** Days from the first email to each reminder. */
  readonly defaultReminders?: readonly number[] | undefined;
  /** Null in the database: reminders use the invitation's texts. An empty text sets it to null. */
  readonly defaultReminderSubject?: string | undefined;
  readonly defaultReminderMessage?: string | undefined;
  /** The settings that differ from the workspace's sender. */
  readonly sender?: Sender | undefined;
  /** Whether the token's secret can also read the batches and events of its survey. */
  readonly allowReading?: boolean | undefined;
  /** Whether its invitations leave in spite of the workspace's rest. */
  readonly ignoresRest?: boolean | undefined;
  /** Whether its emails ask the survey's first score or choice question. */
  readonly questionInEmail?: boolean | undefined;
}

/** The fields of the token's own form. */
export type TokenFields = {
  readonly [F in Exclude<keyof TokenSettings, 'sender' | 'allowReading' | 'ignoresRest' | 'questionInEmail'>]-?: NonNullable<
    TokenSettings[F]
  >;
};

/** A token to create. Only the hash of its secret is passed on. */
export interface NewToken extends TokenSettings {
  readonly name: string;
  readonly secretHash: Buffer;
  readonly secretHint: string;
}

export interface Replacement {
  readonly secretHash: Buffer;
  readonly secretHint: string;
  readonly keepSeconds: number;
  /** Null: whatever is present. */
  readonly replaces: string | null;
}

export interface TokenCard extends Omit<TokenFields, 'defaultReminderSubject' | 'defaultReminderMessage'> {
  readonly id: string;
  readonly secretHint: string;
  /** The secret that was replaced and is still accepted. Null: there is none. */
  readonly previousSecretHint: string | null;
  readonly previousSecretUntil: Date | null;
  readonly defaultReminderSubject: string | null;
  readonly defaultReminderMessage: string | null;
  readonly lastAcceptedAt: Date | null;
  /** Null: the token was created on the command line or by the product. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  /** How many requests were rejected in the last 24 hours. */
  readonly rejected: number;
  readonly surveyPublicUrl: string | null;
  readonly sender: Sender | null;
  readonly allowReading: boolean;
  /** Translations by language. */
  readonly translations: Readonly<Record<string, TokenTranslation>> | null;
  /** What the original of each text said when it was translated, by language and name. */
  readonly translatedFrom: Readonly<Record<string, Readonly<Record<string, string>>>> | null;
  readonly surveyLanguage: string;
  readonly workspaceSender: Sender | null;
  readonly ignoresRest: boolean;
  readonly questionInEmail: boolean;
  /** The question that its emails can ask. Null: the survey has none that fits. */
  readonly emailQuestion: EmailQuestion | null;
  /** In days. Null: the workspace has no rest. */
  readonly workspaceRestDays: number | null;
  /** Whether it is that of lists that people upload. It has no secret. */
  readonly isByHand: boolean;
}

export function triggerTokensCalls({ sql, value, json, jsonRecord }: Queries) {
  return {
    createTriggerToken: ({ surveyId, name, secretHash, secretHint, ...settings }: NewToken & { surveyId: string }) =>
      value<string>(sql`
        select invite.create_trigger_token(${surveyId}, ${name}, ${secretHash}, ${secretHint}, ${jsonRecord(settings)})`),

    updateTriggerToken: (tokenId: string, settings: TokenSettings) =>
      sql`select invite.update_trigger_token(${tokenId}, ${jsonRecord(settings)})`,

    /** An empty text removes a translation. */
    setTokenTranslation: (tokenId: string, language: string, texts: TokenTranslation) =>
      sql`select invite.set_token_translation(${tokenId}, ${language}, ${json(texts)})`,

    /** @param keepSeconds How long the old secret is accepted beside the new one. @returns Until when; null: it isn't any more. */
    replaceTriggerSecret: (tokenId: string, secretHash: Buffer, secretHint: string, keepSeconds: number) =>
      value<Date | null>(sql`select invite.replace_trigger_secret(${tokenId}, ${secretHash}, ${secretHint}, ${keepSeconds})`),

    endPreviousSecret: (tokenId: string) => sql`select invite.end_previous_secret(${tokenId})`,

    deleteTriggerToken: (tokenId: string) => sql`select invite.delete_trigger_token(${tokenId})`,

    findTriggerToken: async (id: string): Promise<Row | undefined> =>
      (await sql<Row[]>`select * from invite.trigger_token_overview where id = ${id}`)[0],

    listTriggerTokens: (surveyId: string) =>
      sql<Row[]>`select * from invite.trigger_token_overview where survey_id = ${surveyId} order by created_at, id`,
  };
}

export function consoleTriggerTokensCalls({ sql, records, value, jsonRecord, json }: Queries) {
  return {
    /** @param afterId Undefined: the first page. */
    listTriggerTokens: (session: Buffer, surveyId: string, afterId: string | undefined, maxRows: number) =>
      records<TokenCard>(sql`
        select * from console.trigger_tokens(${session}, ${surveyId}, after_id => ${afterId ?? null}, max_rows => ${maxRows})`),

    findTriggerToken: async (session: Buffer, surveyId: string, tokenId: string): Promise<TokenCard | undefined> =>
      (await records<TokenCard>(sql`select * from console.trigger_tokens(${session}, ${surveyId}, ${tokenId})`))[0],

    /** @param token Has the form's id. If the form is submitted twice, it creates one token. */
    createTriggerToken: (
      session: Buffer,
      surveyId: string,
      { id, name, secretHash, secretHint, ...settings }: NewToken & { id: string },
    ) =>
      sql`
        select console.create_trigger_token(
          ${session}, ${surveyId}, ${id}, ${name}, ${secretHash}, ${secretHint}, ${jsonRecord(settings)})`,

    updateTriggerToken: (session: Buffer, surveyId: string, tokenId: string, settings: TokenSettings) =>
      sql`select console.update_trigger_token(${session}, ${surveyId}, ${tokenId}, ${jsonRecord(settings)})`,

    /**
     * An empty text removes a translation.
     * @param checked Names of texts that still fit as they are.
     * @param before The translation that the change is made on; undefined: whatever there is.
     * @returns Whether it is saved: others may have changed it meanwhile.
     */
    setTokenTranslation: (
      session: Buffer,
      surveyId: string,
      tokenId: string,
      language: string,
      texts: TokenTranslation,
      checked: readonly string[] = [],
      saw: Readonly<Record<string, string>> = {},
      before?: TokenTranslation,
    ) =>
      value<boolean>(sql`
        select console.set_token_translation(
          ${session}, ${surveyId}, ${tokenId}, ${language}, ${json(texts)}, ${checked as string[]}, ${json(saw)},
          ${before === undefined ? null : json(before)})`),

    /**
     * @param keepSeconds How long the old secret is accepted beside the new one.
     * @param replaces The hint of the secret that the member saw, so that a form that is submitted twice replaces it once.
     * @returns Until when the old secret is accepted; null: it isn't any more.
     */
    replaceTriggerSecret: (
      session: Buffer,
      surveyId: string,
      tokenId: string,
      { secretHash, secretHint, keepSeconds, replaces }: Replacement,
    ) =>
      value<Date | null>(sql`
        select console.replace_trigger_secret(${session}, ${surveyId}, ${tokenId}, ${secretHash}, ${secretHint}, ${keepSeconds}, ${replaces})`),

    endPreviousSecret: (session: Buffer, surveyId: string, tokenId: string) =>
      sql`select console.end_previous_secret(${session}, ${surveyId}, ${tokenId})`,

    deleteTriggerToken: (session: Buffer, surveyId: string, tokenId: string) =>
      sql`select console.delete_trigger_token(${session}, ${surveyId}, ${tokenId})`,
  };
}
