// The SQL functions of the API trigger's pages, and of the refused requests that they show, typed. Those that take a session decide themselves
// what its owner may do: P0002 for whoever is no member, 42501 for a role that is not enough. A part of functions.ts.
import type { Queries } from './mapping.ts';
import type { NewToken, RefusalCard, RefusalCount, TokenCard, TokenFields, TriggerObstacle } from './token-records.ts';

export function createTokenFunctions({ sql, value, records, json }: Queries) {
  return {
    /** A page of the live tokens of a survey. @param afterId Undefined: the first page. */
    surveyTokens: (session: Buffer, surveyId: string, afterId: string | undefined, maxRows: number) =>
      records<TokenCard>(sql`
        select * from invite.survey_tokens(${session}, ${surveyId}, after_id => ${afterId ?? null}, max_rows => ${maxRows})`),

    /** One live token of a survey; undefined if there is none. */
    surveyToken: async (session: Buffer, surveyId: string, tokenId: string): Promise<TokenCard | undefined> =>
      (await records<TokenCard>(sql`select * from invite.survey_tokens(${session}, ${surveyId}, ${tokenId})`))[0],

    addToken: (session: Buffer, surveyId: string, token: NewToken) =>
      sql`
        select invite.add_token(
          ${session}, ${surveyId}, ${token.id}, ${token.name}, ${token.secretHash}, ${token.secretHint}, ${token.cooldownSeconds})`,

    changeToken: (session: Buffer, surveyId: string, tokenId: string, token: TokenFields) =>
      sql`
        select invite.change_token(${session}, ${surveyId}, ${tokenId}, ${json({
          name: token.name,
          cooldown_seconds: token.cooldownSeconds,
          default_subject: token.defaultSubject,
          default_message: token.defaultMessage,
          default_reminder_days: token.defaultReminderDays,
          default_reminder_subject: token.defaultReminderSubject,
          default_reminder_message: token.defaultReminderMessage,
        })})`,

    removeToken: (session: Buffer, surveyId: string, tokenId: string) =>
      sql`select invite.remove_token(${session}, ${surveyId}, ${tokenId})`,

    /** What refuses every request to a survey at present; null: nothing does. */
    triggerObstacle: (session: Buffer, surveyId: string) =>
      value<TriggerObstacle | null>(sql`select invite.trigger_obstacle(${session}, ${surveyId})`),

    /** The refused requests of a survey's last week, or of one token's, by code, the latest first. */
    surveyRefusals: (session: Buffer, surveyId: string, tokenId?: string) =>
      records<RefusalCard>(sql`select * from invite.survey_refusals(${session}, ${surveyId}, ${tokenId ?? null})`),

    /** Adds to the counts of refused requests. */
    recordRefusals: (refusals: readonly RefusalCount[]) => sql`select invite.record_refusals(${json(refusals)})`,

    /** Deletes counts of refused requests older than a week. */
    pruneRefusals: () => value<number>(sql`select invite.prune_refusals()`),
  };
}
