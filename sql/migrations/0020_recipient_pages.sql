-- The recipients' pages: who has unsubscribed can subscribe again, and a score can name its ends.

alter type invite.unsubscribe_page add attribute undoable boolean;
comment on type invite.unsubscribe_page is
  'What the unsubscribe page shows for a link. undoable: the recipient has unsubscribed, and may subscribe again; false after a bounce or a complaint.';

alter table invite.surveys alter column questions set default '[
    {
      "id": "score", "type": "score", "label": "How likely are you to recommend us?", "min": 0, "max": 10, "required": true,
      "min_label": "Not at all likely", "max_label": "Extremely likely"
    },
    {"id": "comment", "type": "text", "label": "What is the main reason for your score?", "required": false}
  ]';
comment on column invite.surveys.questions is
  'Questions of the service''s own page: a list of {id, type: score|choice|text, label, required, min, max, min_label, max_label, choices}; '
  'see invite.question_fault.';
