// Webhook endpoints, and the deliveries of events to them.
import type { Queries, Row } from './mapping.ts';

export type WebhookFormat = 'events' | 'slack';

/** What a new endpoint gets. */
export interface NewWebhook {
  /** What is shown: of slack, not the whole address. */
  readonly url: string;
  /** Sealed for the endpoint's id. */
  readonly secret: string;
  /** Undefined: all but those that must be asked for. */
  readonly types?: readonly string[] | undefined;
  readonly format?: WebhookFormat | undefined;
  /** Undefined: all surveys. */
  readonly surveyId?: string | undefined;
  /** Of slack. Undefined: what is low by the question's scale. */
  readonly below?: number | undefined;
}

export interface ClaimedWebhook {
  readonly id: string;
  readonly attempts: number;
  readonly endpointId: string;
  readonly url: string;
  readonly format: WebhookFormat;
  /** Sealed. Each secret makes its own signature; of slack, it is the address. */
  readonly secrets: readonly string[];
  readonly eventId: string;
  /** Null: the event is no longer stored. Of slack: a LowScoreMessage as JSON. */
  readonly body: string | null;
}

export interface WebhookOutcome {
  /** Undefined: there was no response. */
  readonly status?: number | undefined;
  readonly responseStart?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export interface WebhookWarning {
  readonly url: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly failingSince: Date;
  /** An HTTP status or an error code. */
  readonly lastError: string | null;
  readonly owners: readonly string[];
}

export function webhooksCalls({ sql, value, one, records }: Queries) {
  return {
    createWebhook: (id: string, workspaceId: string, { url, secret, types, surveyId, format, below }: NewWebhook) =>
      sql`
        select invite.create_webhook_endpoint(
          ${id}, ${workspaceId}, ${url}, ${secret}, ${(types as string[] | undefined) ?? null}::invite.event_type[],
          ${surveyId ?? null}, ${format ?? 'events'}, ${below ?? null})`,

    listWebhooks: (workspaceId: string) =>
      sql<Row[]>`select * from invite.webhook_overview where workspace_id = ${workspaceId} order by created_at, id`,

    /** The newest delivery comes first. */
    listWebhookLog: (endpointId: string, status: string | undefined, maxRows: number) =>
      sql<Row[]>`
        select * from invite.webhook_log
        where endpoint_id = ${endpointId} and (${status ?? null}::invite.webhook_status is null or status = ${status ?? null})
        order by id desc limit ${maxRows}`,

    /** @param secret Sealed for this endpoint. */
    rotateWebhookSecret: (endpointId: string, secret: string, keepSeconds: number) =>
      sql`select invite.rotate_webhook_secret(${endpointId}, ${secret}, ${keepSeconds})`,

    setWebhookPaused: (endpointId: string, paused: boolean) => sql`select invite.set_webhook_paused(${endpointId}, ${paused})`,

    deleteWebhook: (endpointId: string) => sql`select invite.delete_webhook_endpoint(${endpointId})`,

    /** Returns the id of the delivery. */
    sendTestWebhook: (endpointId: string) => value<string>(sql`select invite.send_test_webhook(${endpointId})`),

    /** Delivers again: one delivery, those since a time, or by default all that failed. Returns how many. */
    async replayWebhooks(
      endpointId: string,
      which: { deliveryId?: string | undefined; since?: Date | undefined } = {},
    ): Promise<number> {
      // Events that are published while this runs are delivered anyway.
      const upTo = await value<string>(sql`select invite.published_to()`);
      let replayed = 0;
      for (let after: string | null = '0'; after !== null; ) {
        const step: { replayed: number; next: string | null } = await one(
          sql`select * from invite.replay_webhooks(${endpointId}, ${which.deliveryId ?? null}, ${which.since ?? null}, ${after}, up_to => ${upTo})`,
        );
        replayed += step.replayed;
        after = step.next;
      }
      return replayed;
    },

    /**
     * Runs one step of delivering again all that failed. @param after What the previous step returned. Returns null after the last step.
     */
    replayFailedWebhooks: (endpointId: string, after: string) =>
      value<string | null>(sql`select next from invite.replay_webhooks(${endpointId}, after => ${after})`),

    /** Wakes a worker to send deliveries that are due. */
    wakeWebhooks: () => sql`select invite.wake_webhooks()`,

    claimWebhooks: (maxRows: number, leaseSeconds: number) =>
      records<ClaimedWebhook>(sql`select * from invite.claim_webhooks(${maxRows}, ${leaseSeconds})`),

    /** @param schedule The seconds before each further attempt. */
    settleWebhook: (delivery: { id: string; attempts: number }, schedule: readonly number[], outcome: WebhookOutcome) =>
      sql`
        select invite.settle_webhook(
          ${delivery.id}, ${delivery.attempts}, ${schedule as number[]}::integer[], ${outcome.status ?? null}, ${outcome.responseStart ?? null},
          ${outcome.errorCode ?? null}, ${outcome.retryAfterSeconds ?? null})`,

    /** Null: the endpoint has recovered or was deleted. */
    async findWebhookWarning(endpointId: string): Promise<WebhookWarning | null> {
      const found = await one<WebhookWarning | { url: null | undefined }>(
        sql`select * from invite.find_webhook_warning(${endpointId})`,
      );
      return typeof found.url === 'string' ? (found as WebhookWarning) : null;
    },
  };
}

export type WebhookStatus = 'pending' | 'delivered' | 'failed';
export type WebhookAction = 'test' | 'pause' | 'resume' | 'replay' | 'rotate' | 'delete';

export const MAX_WEBHOOK_COUNT = 1000;

export interface WebhookCard {
  readonly id: string;
  readonly url: string;
  /** Null: all types. */
  readonly types: readonly string[] | null;
  readonly pausedAt: Date | null;
  /** When the endpoint responded with 410, which disables it. */
  readonly disabledAt: Date | null;
  readonly failingSince: Date | null;
  readonly rotatingUntil: Date | null;
  readonly createdAt: Date;
  /** Counted up to MAX_WEBHOOK_COUNT + 1. */
  readonly pending: number;
  /** Deliveries that failed in the last day, counted up to the same limit. */
  readonly failed: number;
  readonly format: WebhookFormat;
  /** Null: all surveys. */
  readonly surveyId: string | null;
  readonly surveyTitle: string | null;
  readonly below: number | null;
}

export interface WebhookLine {
  readonly id: string;
  readonly eventId: string;
  /** Null: the event is no longer stored. */
  readonly type: string | null;
  readonly status: WebhookStatus;
  readonly pendingReason: 'disabled' | 'paused' | 'sending' | 'due' | 'retry_later' | null;
  readonly attempts: number;
  readonly attemptedAt: Date | null;
  readonly dueAt: Date | null;
  readonly responseStatus: number | null;
  readonly responseStart: string | null;
  readonly errorCode: string | null;
  readonly createdAt: Date;
}

export function consoleWebhooksCalls({ sql, records }: Queries) {
  return {
    listWebhooks: (session: Buffer, workspaceId: string) =>
      records<WebhookCard>(sql`select * from console.webhooks(${session}, ${workspaceId})`),

    findWebhook: async (session: Buffer, workspaceId: string, endpointId: string): Promise<WebhookCard | undefined> =>
      (await records<WebhookCard>(sql`select * from console.webhooks(${session}, ${workspaceId}, ${endpointId})`))[0],

    /** @param beforeId Undefined: the first page. */
    listWebhookLog: (
      session: Buffer,
      workspaceId: string,
      endpointId: string,
      view: { status: WebhookStatus | undefined; beforeId: string | undefined; maxRows: number },
    ) =>
      records<WebhookLine>(
        sql`select * from console.webhook_log(
          ${session}, ${workspaceId}, ${endpointId}, ${view.status ?? null}, ${view.beforeId ?? null}, ${view.maxRows})`,
      ),

    /** @param endpointId The form's id. If the form is submitted twice, it creates one endpoint. */
    createWebhook: (
      session: Buffer,
      workspaceId: string,
      endpointId: string,
      { url, secret, types, surveyId, format, below }: NewWebhook,
    ) =>
      sql`
        select console.create_webhook(
          ${session}, ${workspaceId}, ${endpointId}, ${url}, ${(types as string[] | undefined) ?? null}::invite.event_type[], ${secret},
          ${surveyId ?? null}, ${format ?? 'events'}, ${below ?? null})`,

    /**
     * @param secret The new one, sealed for this endpoint, if the action is rotate.
     * @param seen The rotatingUntil that the caller has seen; undefined: not checked. With another one, nothing is rotated: 23514
     *   webhook_endpoints_secret_replaced.
     */
    changeWebhook: (
      session: Buffer,
      workspaceId: string,
      endpointId: string,
      action: WebhookAction,
      { deliveryId, secret, seen }: { deliveryId?: string | undefined; secret?: string; seen?: Date | null | undefined } = {},
    ) =>
      sql`
        select console.change_webhook(
          ${session}, ${workspaceId}, ${endpointId}, ${action}, ${deliveryId ?? null}, ${secret ?? null}, ${seen === undefined ? 'infinity' : (seen?.toISOString() ?? null)}::text::timestamptz)`,
  };
}
