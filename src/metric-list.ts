// Every metric of ours: its type, labels and meaning. docs/operations.md is compared with it by a test. Imports nothing of ours.

interface Metric {
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly labels: readonly string[];
  readonly meaning: string;
}

/** By name. */
export const METRICS = {
  invitation_trigger_requests_total: {
    type: 'counter',
    labels: ['route', 'status', 'code'],
    meaning: 'Requests handled. `code` is `ok` or the error code.',
  },
  invitation_trigger_request_seconds: {
    type: 'histogram',
    labels: ['route'],
    meaning: 'Time from the request to its response.',
  },
  invitation_trigger_mails_total: {
    type: 'counter',
    labels: ['mail', 'outcome'],
    meaning: 'Attempts to send an email, by outcome; `released` was not tried, because the worker stopped.',
  },
  invitation_trigger_relay_seconds: {
    type: 'histogram',
    labels: ['outcome'],
    meaning: 'Time of one request to the relay, until its response or the timeout.',
  },
  invitation_trigger_workers_recovered_total: {
    type: 'counter',
    labels: [],
    meaning: 'Lost workers whose emails this process put back into the queue.',
  },
  invitation_trigger_requeued_total: {
    type: 'counter',
    labels: ['reason'],
    meaning:
      'Emails that this process put back into the queue. `activation`: they waited for their survey; `lost_claim`: the reply to their claim was lost.',
  },
  invitation_trigger_database_up: {
    type: 'gauge',
    labels: [],
    meaning: '1 if the database responded just now. If 0, the gauges below are left out.',
  },
  invitation_trigger_queue_due: { type: 'gauge', labels: [], meaning: 'Emails that are queued and due now.' },
  invitation_trigger_queue_overdue_seconds: {
    type: 'gauge',
    labels: [],
    meaning: 'How long the oldest of them has been due.',
  },
  invitation_trigger_queue_waiting: {
    type: 'gauge',
    labels: [],
    meaning: 'Emails that are due and held because of their survey or workspace.',
  },
  invitation_trigger_queue_sending: { type: 'gauge', labels: [], meaning: 'Emails that a worker has claimed.' },
  invitation_trigger_relay_paused: {
    type: 'gauge',
    labels: ['relay', 'condition'],
    meaning:
      '1 while the relay is paused, otherwise no sample. `busy`: it asked for a pause; `fault`: nothing gets through, and it is probed.',
  },
  invitation_trigger_workers: { type: 'gauge', labels: [], meaning: 'Workers with a heartbeat in the last 50 seconds.' },
} as const satisfies Record<string, Metric>;
