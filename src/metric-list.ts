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
    meaning: 'Requests answered. `code` is `ok`, or the error code that refused it.',
  },
  invitation_trigger_request_seconds: {
    type: 'histogram',
    labels: ['route'],
    meaning: 'Time from the request to its answer.',
  },
  invitation_trigger_mails_total: {
    type: 'counter',
    labels: ['mail', 'outcome'],
    meaning: 'Attempts at mails by what became of them; `released` was not tried, because the worker stopped.',
  },
  invitation_trigger_relay_seconds: {
    type: 'histogram',
    labels: ['outcome'],
    meaning: "Time of one request to the relay, until its answer or the deadline's end.",
  },
  invitation_trigger_workers_recovered_total: {
    type: 'counter',
    labels: [],
    meaning: 'Dead workers that this process has given up, and whose mails went back into the queue.',
  },
  invitation_trigger_requeued_total: {
    type: 'counter',
    labels: ['reason'],
    meaning:
      'Mails that this process has put back in the queue. `activation`: they waited for their survey; `lost_claim`: the answer to their claim was lost.',
  },
  invitation_trigger_database_up: {
    type: 'gauge',
    labels: [],
    meaning: '1 if the database answered just now. If it is 0, the gauges below are left out.',
  },
  invitation_trigger_queue_due: { type: 'gauge', labels: [], meaning: 'Mails that are queued and due now.' },
  invitation_trigger_queue_overdue_seconds: {
    type: 'gauge',
    labels: [],
    meaning: 'For how long the oldest of them has been due.',
  },
  invitation_trigger_queue_waiting: {
    type: 'gauge',
    labels: [],
    meaning: 'Mails that are due and held, because their survey or workspace is not sendable.',
  },
  invitation_trigger_queue_sending: { type: 'gauge', labels: [], meaning: 'Mails that a worker has claimed.' },
  invitation_trigger_relay_paused: {
    type: 'gauge',
    labels: ['relay', 'condition'],
    meaning:
      '1 while the relay is left alone, and no sample otherwise. `busy`: it asked for a pause; `fault`: nothing gets through, and it is probed.',
  },
  invitation_trigger_workers: { type: 'gauge', labels: [], meaning: 'Workers with a heartbeat in the last 50 seconds.' },
} as const satisfies Record<string, Metric>;
