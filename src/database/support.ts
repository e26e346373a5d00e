// What a support person asks about an address or an invitation, for the command line. Reads no link and no secret.
import type { Queries, Row } from './mapping.ts';

/** What a workspace knows of an address. newest: its newest invitations. */
export type KnownRecipient = Row & { readonly newest: readonly Row[]; readonly choices: readonly Row[] };

export interface FoundInvitation {
  readonly invitation: Row;
  /** Its email and then its reminders. */
  readonly messages: readonly Row[];
  /** Null: the address isn't on the do-not-email list, or was erased. */
  readonly suppression: Row | null;
  readonly choices: readonly Row[];
  /** What members, operators and the product did to it, to its batch or to all of its survey. */
  readonly actions: readonly Row[];
  readonly history: readonly Row[];
}

export function supportCalls({ sql }: Queries) {
  const choicesIn = (workspaceIds: readonly string[], email: string) => sql<Row[]>`
    select
      c.workspace_id, case c.survey_id when '' then 'once_a_month' else 'not_this_survey' end as choice, nullif(c.survey_id, '') as survey_id,
      c.chosen_at
    from invite.recipient_choices as c
    where c.workspace_id = any (${workspaceIds as string[]}) and c.email = lower(${email} collate "C")
    order by c.workspace_id, c.survey_id`;
  return {
    /**
     * The workspaces that know an address, real ones first.
     * @param workspaceId Undefined: all workspaces of the installation.
     */
    async findRecipient(email: string, workspaceId?: string, maxInvitations = 20): Promise<KnownRecipient[]> {
      const places = await sql<(Row & { workspace_id: string; email: string; ids: string[] })[]>`
        select
          w.id as workspace_id, w.name as workspace_name, w.test_of, a.email, cardinality(k.ids) as invitations, s.reason as suppressed,
          s.created_at as suppressed_since, s.detail as relay_said, k.ids[1:${maxInvitations}] as ids
        from (select lower(btrim(${email}) collate "C") as email) as a
        cross join invite.workspaces as w
        cross join lateral (select invite.invitations_to(w.id, a.email) as ids offset 0) as k
        left join lateral (
          select x.* from invite.suppressed_addresses as x where x.workspace_id = w.id and x.email = a.email offset 0
        ) as s on true
        where w.id = coalesce(${workspaceId ?? null}, w.id)
          and (
            cardinality(k.ids) > 0 or s.reason is not null
            or exists (select from invite.recipient_choices as c where c.workspace_id = w.id and c.email = a.email)
          )
        order by w.test_of is not null, w.id`;
      const [first] = places;
      if (first === undefined) return [];
      const [invitations, choices] = await Promise.all([
        sql<(Row & { workspace_id: string })[]>`
          select
            i.workspace_id, i.id, i.survey_id, s.title as survey_title, i.message_kind, i.status, u.unsent_reason, u.in_words, i.due_at,
            i.sent_at, i.reminded_at, i.responded_at
          from unnest(${places.flatMap(({ ids }) => ids)}::bigint[]) as l (id)
          cross join lateral (select x.* from invite.invitation_overview as x where x.id = l.id offset 0) as i
          join invite.surveys as s on s.id = i.survey_id
          left join lateral (select x.unsent_reason, x.in_words from invite.unsent_causes as x where x.id = l.id offset 0) as u on true
          order by i.id desc`,
        choicesIn(
          places.map(({ workspace_id }) => workspace_id),
          first.email,
        ),
      ]);
      const of = <R extends Row>(rows: readonly R[], id: string) =>
        rows.filter((row) => row.workspace_id === id).map(({ workspace_id, ...row }) => row);
      return places.map(({ ids, ...place }) => ({
        ...place,
        newest: of(invitations, place.workspace_id),
        choices: of(choices, place.workspace_id),
      }));
    },

    /** Undefined: there is no such invitation. */
    async findInvitation(invitationId: string): Promise<FoundInvitation | undefined> {
      const [invitation] = await sql<(Row & { workspace_id: string; email: string | null })[]>`
        select
          i.id, i.email, i.name, i.language, i.workspace_id, w.name as workspace_name, w.test_of, w.test_now, i.survey_id, s.title as survey_title,
          s.state as survey_state, i.batch_id, b.accepted_at, b.scheduled_at, b.subject, b.reminders, b.metadata as request_metadata, i.metadata,
          i.responded_at, i.erased_at
        from invite.invitation_overview as i
        join invite.batches as b on b.id = i.batch_id
        join invite.surveys as s on s.id = i.survey_id
        join invite.workspaces as w on w.id = i.workspace_id
        where i.id = ${invitationId}`;
      if (invitation === undefined) return undefined;
      const { workspace_id, email } = invitation;
      const [messages, suppressions, choices, actions, history] = await Promise.all([
        sql<Row[]>`
          select
            m.number, m.message_kind, m.status, u.unsent_reason, u.hold_reason, u.in_words, d.verdict, d.until,
            m.due_at as wanted_at, m.not_before as due_at, u.leave_by, nullif(u.next_look_at, 'infinity') as next_look_at, m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at,
            m.retried_at, m.unconfirmed_since, m.attempts, m.last_error_code, m.last_error, m.relay_message_id
          from invite.message_overview as m
          left join invite.unsent_messages as u on u.id = m.invitation_id and m.is_last
          left join invite.departures(array[${invitationId}::bigint]) as d on d.number = m.number
          where m.invitation_id = ${invitationId}
          order by m.number`,
        email === null
          ? []
          : sql<Row[]>`
              select s.reason, s.created_at as since, s.relay, s.event_type, s.occurred_at, s.detail
              from invite.suppressed_addresses as s
              where s.workspace_id = ${workspace_id} and s.email = lower(${email} collate "C")`,
        email === null ? [] : choicesIn([workspace_id], email),
        // Only entries of record_message_audit have a number of messages. A survey's id may look like that of an invitation. The audit log has
        // real times, so a test's clock says nothing about which entries came before it.
        sql<Row[]>`
          select a.at, a.actor, a.action, a.subject, a.detail
          from invite.batches as b
          join invite.workspaces as w on w.id = b.workspace_id
          join invite.audit_log as a on a.workspace_id = w.id and a.detail ? 'messages' and (a.at >= b.accepted_at or w.test_of is not null)
          where b.id = ${invitation.batch_id as string}
            and case
              when a.action::text like 'survey%' then a.subject = b.survey_id
              when a.action = 'reminded_now' then a.subject in (${invitationId}, b.id::text, b.survey_id)
              else a.subject in (${invitationId}, b.id::text)
            end
          order by a.id desc
          limit 20`,
        sql<Row[]>`
          select h.at, h.event, h.detail, h.in_words from invite.invitation_history as h where h.id = ${invitationId} order by h.at, h.event`,
      ]);
      return {
        invitation,
        messages,
        suppression: suppressions[0] ?? null,
        choices: choices.map(({ workspace_id, ...choice }) => choice),
        actions: actions.toReversed(),
        history,
      };
    },
  };
}
