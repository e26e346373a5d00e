-- In the order of life: a customer, an accepted request with its invitations, their delivery, what comes back, and what is kept of it.
--
-- Workspaces and surveys have the product's own ids, so that it keeps no mapping table. Batches are time-ordered UUIDs, because they are
-- public. Invitations and responses are bigints: they are many, and job payloads carry lists of them.

------------------------------------------------------------------------------------------------------------------------------------
-- Texts

create function invite.direction_marks() returns text
language sql immutable parallel safe
as $$
  select '[\u202A-\u202E\u2066-\u2069]'
$$;
comment on function invite.direction_marks() is
  'A pattern of the invisible characters that reorder the text after them: embeddings, overrides and isolates of UAX #9. With one of them, a '
  'name could turn an address or the rest of a subject around. Names of recipients lose them; texts of one line have none.';

create function invite.is_domain(domain text) returns boolean
language sql immutable parallel safe
as $$
  select length(domain) <= 253 and domain = lower(domain collate "C") and domain ~ '^([^][:space:][:cntrl:]@<>,;"/:.[]+[.])+[^][:space:][:cntrl:]@<>,;"/:.[]+$'
$$;
comment on function invite.is_domain(text) is 'Whether this is the domain of an address, in lower case.';

------------------------------------------------------------------------------------------------------------------------------------
-- Hours and time zones

create function invite.are_open_hours(open_hours int4multirange) returns boolean
language sql immutable parallel safe
as $$
  select not isempty(open_hours) and open_hours <@ '{[0,10080)}'
    and not exists (select from unnest(open_hours) as r where lower(r) % 15 <> 0 or upper(r) % 15 <> 0)
$$;
comment on function invite.are_open_hours(int4multirange) is
  'Whether these are hours of a week: minutes since Monday 00:00, less than 10080, in whole quarters of an hour, and not none.';

create function invite.are_closed_days(closed_days datemultirange) returns boolean
language sql immutable parallel safe
as $$
  select not isempty(closed_days) and closed_days <@ '{[1970-01-01,10000-01-01)}' and (select count(*) <= 1000 from unnest(closed_days))
$$;
comment on function invite.are_closed_days(datemultirange) is 'Whether these are dates with years of four digits, in at most 1,000 ranges, and not none.';

create table invite.languages (
  tag text collate "C" not null,
  forms text[] collate "C" not null,
  constraint languages_pkey primary key (tag),
  constraint languages_forms_some check (cardinality(forms) > 0)
);
comment on table invite.languages is
  'How language tags are compared, and what readers of a language also read, from CLDR: migrate copies sql/languages.json.';
comment on column invite.languages.tag is 'The start of a tag, in lower case.';
comment on column invite.languages.forms is
  'First its form (language_form). Then, if the tag is itself a form, those of other languages that its readers read, best first.';

create table invite.service_words (
  language text collate "C" not null,
  name text collate "C" not null,
  text text not null,
  informal text,
  constraint service_words_pkey primary key (language, name)
);
comment on table invite.service_words is
  'What the service itself says to recipients, as far as a workspace can word it (wordings): migrate copies sql/words.json.';
comment on column invite.service_words.language is 'The language''s tag. English has every name.';
comment on column invite.service_words.name is 'The text''s name, as in src/languages/en.ts.';
comment on column invite.service_words.text is 'The text, with its placeholders.';
comment on column invite.service_words.informal is 'The text for workspaces that address their readers informally. Null: the same.';

create table invite.time_zones (
  name text collate "C" not null,
  constraint time_zones_pkey primary key (name)
);
comment on table invite.time_zones is 'The time zones that the server knows: reading them from PostgreSQL takes half a second. renew_time_zones fills it.';
comment on column invite.time_zones.name is 'As PostgreSQL spells it, such as Europe/Berlin.';

create unique index time_zones_lower_idx on invite.time_zones (lower(name));
comment on index invite.time_zones_lower_idx is 'A time zone in any case.';

------------------------------------------------------------------------------------------------------------------------------------
-- Customers

create table invite.plans (
  id text collate "C" not null,
  api_trigger boolean not null,
  constraint plans_pkey primary key (id),
  constraint plans_id_length check (length(id) between 1 and 64)
);
comment on table invite.plans is 'What a workspace pays for. A plan without api_trigger rejects trigger requests and holds due messages.';
comment on column invite.plans.id is 'The product''s name for the plan.';
comment on column invite.plans.api_trigger is 'Whether workspaces on this plan may use the API trigger.';

insert into invite.plans (id, api_trigger) values ('free', false), ('pro', true);

create function invite.new_home() returns text
language plpgsql volatile
as $$
declare
  v_cell constant text := (select g.home from invite.settings as g);
  v_name text;
begin
  loop
    v_name := (
      select string_agg(substr('abcdefghijklmnopqrstuvwxyz0123456789', 1 + get_byte(b.random, n) % 36, 1), '')
      from (select uuid_send(gen_random_uuid()) as random) as b
      cross join generate_series(0, 3) as n);
    exit when v_name <> '0000' and not exists (select from invite.workspaces as w where w.home = v_cell || v_name);
  end loop;
  return v_cell || v_name;
end
$$;
comment on function invite.new_home() is 'A home for a new workspace: the name of this database, and four characters that none of its workspaces has.';

create table invite.workspaces (
  id text collate "C" not null default gen_random_uuid()::text,
  home text collate "C" not null default invite.new_home(),
  link_key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  name text not null,
  plan_id text collate "C" not null default 'pro',
  test_of text collate "C",
  sender jsonb,
  wording text collate "C",
  records_events boolean not null default false,
  time_zone text collate "C",
  open_hours int4multirange,
  closed_days datemultirange,
  rest_days integer,
  max_delay_hours integer,
  suspended_at timestamptz,
  paused_at timestamptz,
  guarded_at timestamptz,
  guard_warned_at timestamptz,
  guard_since timestamptz,
  test_now timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  moved_to text collate "C",
  epoch text collate "C",
  constraint workspaces_pkey primary key (id),
  constraint workspaces_home_key unique (home),
  constraint workspaces_home_form check (home ~ '^[a-z0-9]{8}$' and home !~ '^test|0000$'),
  constraint workspaces_link_key_length check (length(link_key) = 32),
  constraint workspaces_test_clock check ((test_of is null) = (test_now is null)),
  constraint workspaces_test_of_other check (test_of <> id),
  constraint workspaces_id_format check (id ~ '^[A-Za-z0-9._:-]{1,64}$'),
  constraint workspaces_name_length check (length(name) between 1 and 255),
  constraint workspaces_name_marks check (name !~ invite.direction_marks()),
  constraint workspaces_time_zone_length check (length(time_zone) between 1 and 64),
  constraint workspaces_open_hours_form check (invite.are_open_hours(open_hours)),
  constraint workspaces_closed_days_form check (not (isempty(closed_days) or lower_inf(closed_days) or upper_inf(closed_days))),
  constraint workspaces_rest_days_range check (rest_days between 1 and 365),
  constraint workspaces_max_delay_hours_range check (max_delay_hours between 1 and 8760),
  constraint workspaces_test_of_fkey foreign key (test_of) references invite.workspaces (id),
  constraint workspaces_plan_fkey foreign key (plan_id) references invite.plans (id)
);
comment on table invite.workspaces is 'A customer.';
comment on column invite.workspaces.id is 'The product''s own id, or a generated UUID: 1-64 of A-Z a-z 0-9 . _ : -';
comment on column invite.workspaces.home is
  'What its secrets, links and cursors begin with, and the hashes of its secrets: the home of the database that created it (settings.home), and four '
  'characters of its own. It stays when the workspace moves to another database.';
comment on column invite.workspaces.link_key is
  'What conceal hides the ids in its links with: it opens none of them. It never changes: all links that are out would be lost.';
comment on column invite.workspaces.name is 'The name that recipients read in their email.';
comment on column invite.workspaces.plan_id is 'What the customer pays for.';
comment on column invite.workspaces.test_of is
  'The workspace that it is a test workspace of: none of its email leaves, and its time is test_now. Null: it is a real workspace.';
comment on column invite.workspaces.test_now is 'What time it is in a test workspace. Only begin_test_step moves it, and never back.';
comment on column invite.workspaces.sender is
  'Whom its emails come from: {name, email, reply_to, logo_url, logo_alt, accent_color, postal_address, recipient_word, '
  'greeting_without_name, subject_without_name, button_text, preheader}, each optional. '
  'logo_url: https, or the path of one of logos. The trigger _400_sender checks its form. Null: as MAIL_FROM says.';
comment on column invite.workspaces.wording is
  'Which words of its own it has: its home, and a digest of what wordings has of it. Servers and workers keep what they have read under this key. Null: none.';
comment on column invite.workspaces.records_events is 'Whether what happens is recorded as events: responses and surveys at once, messages of requests accepted from then on.';
comment on column invite.workspaces.time_zone is
  'The time zone of its hours, for recipients and surveys without their own: a name of the IANA database. Null: UTC.';
comment on column invite.workspaces.open_hours is
  'When its email may leave: minutes of the local week, 0 is Monday 00:00. Bounds are quarter hours; the end is exclusive. Null: always.';
comment on column invite.workspaces.closed_days is 'Dates on which none of its email leaves, such as holidays. Null: none.';
comment on column invite.workspaces.rest_days is
  'After an invitation that a relay accepted, an address gets no other for so many times 24 hours, of any survey of the workspace. Null: no rest.';
comment on column invite.workspaces.max_delay_hours is
  'An email that could not leave so many hours after it was wanted is skipped, unless its survey says otherwise. Null: LATE_SEND_HOURS, or the rest.';
comment on column invite.workspaces.suspended_at is 'When it was suspended: trigger requests are rejected and due messages wait. Null: not suspended.';
comment on column invite.workspaces.paused_at is 'When sending was paused for the workspace: requests are accepted, due messages wait. Null: not paused.';
comment on column invite.workspaces.guarded_at is
  'When the guard paused its email, because too much of it bounced or was reported as spam (check_guard). Requests are accepted, due messages wait until a '
  'person releases it. Null: it didn''t.';
comment on column invite.workspaces.guard_warned_at is 'When the guard last warned of it. Null: never.';
comment on column invite.workspaces.guard_since is 'When a person last released it: the guard counts only what was sent since. Null: never.';
comment on column invite.workspaces.created_at is 'When the workspace was created here.';
comment on column invite.workspaces.moved_to is
  'The database (its settings.home) to which it is being moved, or has been: here is only the old copy, which nothing may change. Null: it is here.';
comment on column invite.workspaces.epoch is
  'As settings.epoch, of a workspace that has come from another database, so that its cursors stay valid. Null: the epoch of this database.';

create table invite.wordings (
  workspace_id text collate "C" not null,
  language text collate "C" not null,
  words jsonb not null default '{}',
  originals jsonb not null default '{}',
  informal boolean not null default false,
  spoken boolean not null,
  constraint wordings_pkey primary key (workspace_id, language),
  constraint wordings_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint wordings_language_length check (length(language) between 2 and 35),
  constraint wordings_objects check (jsonb_typeof(words) = 'object' and jsonb_typeof(originals) = 'object'),
  constraint wordings_some check (words <> '{}' or informal)
);
comment on table invite.wordings is
  'What a workspace has recipients read in place of the service''s own texts, by language, also in languages that the service doesn''t speak. set_wording '
  'writes it.';
comment on column invite.wordings.workspace_id is 'The workspace.';
comment on column invite.wordings.language is 'The language''s tag.';
comment on column invite.wordings.words is 'Its texts by name, with the placeholders of the service''s.';
comment on column invite.wordings.originals is 'What the service said in place of each of them when it was written. If that has changed, the text is outdated.';
comment on column invite.wordings.informal is 'Whether the service''s own texts address the reader informally, in a language where it has both forms.';
comment on column invite.wordings.spoken is
  'Whether recipients are addressed in it: if the service speaks it too, or once there is a text for each of the service''s.';

create table invite.logos (
  workspace_id text collate "C" not null,
  name text collate "C" not null,
  picture bytea not null,
  added_at timestamptz not null,
  constraint logos_pkey primary key (workspace_id, name),
  constraint logos_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint logos_name_form check (name ~ '^[0-9a-f]{32}-[1-9][0-9]{1,3}x[1-9][0-9]{1,3}[.](png|jpg)$'),
  constraint logos_name_of_picture check (left(name, 32) = encode(substr(sha256(picture), 1, 16), 'hex')),
  constraint logos_picture_kind check (substr(picture, 1, 3) = case right(name, 3) when 'png' then '\x89504e'::bytea else '\xffd8ff'::bytea end),
  constraint logos_picture_size check (octet_length(picture) <= 204800)
);
comment on table invite.logos is
  'Logos that a workspace has uploaded, at the top of its emails and pages. A row never changes, so browsers keep what they have got. add_logo writes it.';
comment on column invite.logos.workspace_id is 'The workspace.';
comment on column invite.logos.name is
  'Half of the picture''s SHA-256 in hexadecimal digits, then its width and height in pixels, such as …-240x80.png. So a page leaves room for a picture '
  'without reading it.';
comment on column invite.logos.picture is 'The file as it was uploaded: a PNG or JPEG.';
comment on column invite.logos.added_at is 'When it was uploaded last.';

create index workspaces_test_of_idx on invite.workspaces (test_of) where test_of is not null;
comment on index invite.workspaces_test_of_idx is 'The test workspaces of a workspace.';
create index workspaces_paused_idx on invite.workspaces (id) where paused_at is not null;
comment on index invite.workspaces_paused_idx is 'The workspaces for which sending is paused, for the metrics.';
create index workspaces_guarded_idx on invite.workspaces (id) where guarded_at is not null;
comment on index invite.workspaces_guarded_idx is 'The workspaces that the guard has paused, for the metrics.';

create table invite.moved_workspaces (
  workspace_id text collate "C" not null,
  home text collate "C" not null,
  cell text collate "C" not null,
  moved_at timestamptz not null,
  erase_at timestamptz not null,
  erased_at timestamptz,
  constraint moved_workspaces_pkey primary key (workspace_id)
);
comment on table invite.moved_workspaces is
  'Workspaces that are in another database: note_copy writes the row when the workspace is there, or is copied here before it comes. It stays when the copy is erased, and goes if the workspace comes.';
comment on column invite.moved_workspaces.workspace_id is 'The workspace, or a test workspace of it. No foreign key: it is erased here.';
comment on column invite.moved_workspaces.home is 'Its home, by which a router sends calls to the other database.';
comment on column invite.moved_workspaces.cell is 'The database in which it is: its settings.home.';
comment on column invite.moved_workspaces.moved_at is 'When it was moved.';
comment on column invite.moved_workspaces.erase_at is 'When the old copy is erased. Until then read_events reads here what happened here.';
comment on column invite.moved_workspaces.erased_at is 'When the old copy was erased. Null: it is still there.';

create type invite.member_role as enum ('owner', 'admin', 'editor', 'viewer');
comment on type invite.member_role is 'From the most rights to the fewest. Owners, admins and editors manage trigger tokens; viewers read Results.';

create table invite.members (
  workspace_id text collate "C" not null,
  email text collate "C" not null,
  role invite.member_role not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint members_pkey primary key (workspace_id, email),
  constraint members_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint members_email_folded check (
    email = lower(email) and length(email) <= 254 and email !~ invite.direction_marks()
    and email ~ '^[^@[:space:][:cntrl:]<>,;]+@[^@[:space:][:cntrl:]<>,;]+[.][^@[:space:][:cntrl:]<>,;]+$'
  )
);
comment on table invite.members is 'A person''s role in a workspace.';
comment on column invite.members.workspace_id is 'The workspace.';
comment on column invite.members.email is 'In lower case: one person is one row.';
comment on column invite.members.role is 'What the person may do in this workspace.';
comment on column invite.members.created_at is 'When the person became a member.';

create index members_email_idx on invite.members (email);
comment on index invite.members_email_idx is 'The workspaces of a person.';

------------------------------------------------------------------------------------------------------------------------------------
-- Sign-in: only hashes of the secrets are stored. Each begins with the home of its secret, in 8 bytes, and SHA-256 follows

create table invite.sign_in_links (
  id uuid not null default gen_random_uuid(),
  email text collate "C" not null,
  next_path text,
  secret_hash bytea,
  browser_hash bytea,
  requested_at timestamptz not null,
  expires_at timestamptz,
  used_at timestamptz,
  constraint sign_in_links_pkey primary key (id),
  constraint sign_in_links_secret_hash_key unique (secret_hash),
  constraint sign_in_links_secret_hash_length check (length(secret_hash) = 40),
  constraint sign_in_links_browser_hash_sha256 check (length(browser_hash) = 32),
  constraint sign_in_links_email_folded check (email = lower(email) and length(email) between 3 and 254),
  constraint sign_in_links_next_own check (next_path ~ '^/([^/\\[:space:][:cntrl:]][^\\[:space:][:cntrl:]]*)?$' and length(next_path) <= 500),
  constraint sign_in_links_issued check ((secret_hash is null) = (expires_at is null))
);
comment on table invite.sign_in_links is
  'Requests to sign in, of unknown addresses too: both must take the same time. Kept for a day.';
comment on column invite.sign_in_links.id is 'What the job that sends the email carries.';
comment on column invite.sign_in_links.email is 'The address as it was entered, in lower case; not necessarily a member''s.';
comment on column invite.sign_in_links.next_path is 'The page to go on to. Null: the start page.';
comment on column invite.sign_in_links.secret_hash is 'Home and SHA-256 of the secret in the link. Null until the worker has made one; a second email replaces it.';
comment on column invite.sign_in_links.browser_hash is
  'SHA-256 of the secret in the cookie of the browser that requested the link. Null: an operator made it.';
comment on column invite.sign_in_links.requested_at is 'When the link was requested: its limit counts from here.';
comment on column invite.sign_in_links.expires_at is 'When the link expires. Null until the worker has made the secret.';
comment on column invite.sign_in_links.used_at is 'When the link, or another of the same person, was used. Null: not yet.';

create index sign_in_links_email_idx on invite.sign_in_links (email, requested_at);
comment on index invite.sign_in_links_email_idx is 'The requests of an address, for their limit.';

create table invite.sessions (
  id uuid not null default gen_random_uuid(),
  secret_hash bytea not null,
  email text collate "C" not null,
  client_address text,
  device text,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  constraint sessions_pkey primary key (secret_hash),
  constraint sessions_secret_hash_length check (length(secret_hash) = 40),
  constraint sessions_client_address_length check (length(client_address) <= 64),
  constraint sessions_device_length check (length(device) <= 64)
);
comment on table invite.sessions is
  'Who is signed in. A session ends 14 days after created_at, 2 days after seen_at, or with its row: deleting it signs the person out.';
comment on column invite.sessions.id is 'What its person names it by, to end it.';
comment on column invite.sessions.secret_hash is 'Home and SHA-256 of the secret in the cookie.';
comment on column invite.sessions.email is 'The person who is signed in.';
comment on column invite.sessions.client_address is 'The network address that signed in.';
comment on column invite.sessions.device is 'Browser and system that signed in, roughly, such as Firefox on Windows. Null: not known.';
comment on column invite.sessions.created_at is 'When the person signed in.';
comment on column invite.sessions.seen_at is 'When the session was last used, to five minutes.';

create index sessions_email_idx on invite.sessions (email);
comment on index invite.sessions_email_idx is 'The sessions of a person, to end them.';

------------------------------------------------------------------------------------------------------------------------------------
-- Surveys and their trigger tokens

create type invite.survey_state as enum ('draft', 'active', 'closed');
comment on type invite.survey_state is 'Only an active survey sends messages; in draft or closed, due invitations wait.';

create type invite.hold_reason as enum (
  'workspace_suspended', 'plan_required', 'survey_disabled', 'survey_draft', 'survey_closed', 'sending_paused', 'workspace_guarded', 'workspace_paused',
  'survey_paused'
);
comment on type invite.hold_reason is
  'Why the email of a survey is held. If several apply, the first in this order counts (hold_reason).';

create type invite.question_error_code as enum (
  'not_a_list', 'too_large', 'not_an_object', 'invalid_id', 'repeated_id', 'unknown_type', 'unknown_field', 'invalid_label',
  'invalid_required', 'invalid_range', 'invalid_range_size', 'invalid_end_label', 'invalid_choices', 'invalid_choice', 'repeated_choice',
  'invalid_nps', 'invalid_stars', 'invalid_several', 'invalid_ask_if', 'invalid_thanks', 'asked_otherwise'
);
comment on type invite.question_error_code is
  'What is wrong with the questions of a survey (validate_questions, surveys_questions_form).';

create table invite.surveys (
  id text collate "C" not null default gen_random_uuid()::text,
  workspace_id text collate "C" not null,
  title text not null,
  language text collate "C" not null default 'en',
  state invite.survey_state not null default 'draft',
  public_url text,
  open_responses boolean not null default true,
  questions jsonb not null default '[
    {
      "id": "score", "type": "score", "label": "How likely are you to recommend us?", "min": 0, "max": 10, "required": true,
      "min_label": "Not at all likely", "max_label": "Extremely likely"
    },
    {"id": "comment", "type": "text", "label": "What is the main reason for your score?", "required": false}
  ]',
  questions_version integer not null default 1,
  thanks text,
  button_label text,
  button_url text,
  translations jsonb,
  translated_from jsonb,
  time_zone text collate "C",
  max_delay_hours integer,
  link_days integer,
  response_limit integer,
  closes_at timestamptz,
  activated_at timestamptz,
  disabled_at timestamptz,
  paused_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  deletion_started_at timestamptz,
  constraint surveys_pkey primary key (id),
  constraint surveys_workspace_fkey foreign key (workspace_id) references invite.workspaces (id),
  constraint surveys_id_format check (id ~ '^[A-Za-z0-9._:-]{1,64}$'),
  constraint surveys_title_length check (length(title) between 1 and 255),
  constraint surveys_title_marks check (title !~ invite.direction_marks()),
  constraint surveys_public_url_http check (public_url ~* '^https?://[^[:space:][:cntrl:]]+$' and length(public_url) <= 2000),
  constraint surveys_questions_array check (jsonb_typeof(questions) = 'array'),
  constraint surveys_thanks_length check (length(thanks) between 1 and 2000),
  constraint surveys_thanks_marks check (thanks !~ invite.direction_marks()),
  constraint surveys_button_both check ((button_label is null) = (button_url is null)),
  constraint surveys_button_label_line check (
    length(button_label) between 1 and 100 and button_label !~ '^\s|\s$|[\u0001-\u001f\u007f-\u009f\u2028\u2029]'
    and button_label !~ invite.direction_marks()),
  -- Without credentials, which could make one host look like another.
  constraint surveys_button_url_https check (
    button_url ~ '^https://[^][:space:][:cntrl:]/?#@\\]+([/?#][^[:space:][:cntrl:]]*)?$' and length(button_url) <= 2000
    and button_url !~ invite.direction_marks()),
  constraint surveys_language_tag check (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' and length(language) <= 35),
  constraint surveys_translations_object check (jsonb_typeof(translations) = 'object'),
  constraint surveys_time_zone_length check (length(time_zone) between 1 and 64),
  constraint surveys_max_delay_hours_range check (max_delay_hours between 1 and 8760),
  constraint surveys_link_days_range check (link_days between 1 and 3650),
  constraint surveys_response_limit_positive check (response_limit > 0),
  constraint surveys_closes_at_range check (closes_at < '10000-01-01 00:00Z'),
  constraint surveys_translations_size
    check (coalesce(octet_length(translations::text), 0) + coalesce(octet_length(translated_from::text), 0) <= 4194304)
);
comment on table invite.surveys is 'A survey that people are invited to.';
comment on column invite.surveys.id is 'The product''s own id, or a generated UUID: 1-64 of A-Z a-z 0-9 . _ : -';
comment on column invite.surveys.workspace_id is 'The workspace that the survey belongs to, for good.';
comment on column invite.surveys.title is 'What recipients read in their email and on the survey page.';
comment on column invite.surveys.language is
  'The language (BCP 47) of its title, questions and thanks, and of its tokens'' texts.';
comment on column invite.surveys.state is 'A plain update of this column is enough: the trigger _500_sendable requeues what waits.';
comment on column invite.surveys.public_url is 'The product''s own survey page. Null: the service''s page, PUBLIC_URL/s/<id>.';
comment on column invite.surveys.open_responses is 'Whether the service''s page takes responses without a tracked link.';
comment on column invite.surveys.questions is
  'Questions of the service''s own page: a list of {id, type: score|choice|text, label, required, min, max, min_label, max_label, low_thanks, middle_thanks, high_thanks, nps, stars, choices, choice_ids, several, '
  'ask_if: {question, min, max} or {question, choices}}. The service gives each choice an id, so that a renamed one keeps its translation. '
  'The trigger _400_questions checks their form.';
comment on column invite.surveys.questions_version is 'Counts the changes of questions, from 1.';
comment on column invite.surveys.thanks is 'What people read after they responded on the service''s page. Null: a sentence of the service.';
comment on column invite.surveys.button_label is 'What the button below the thank-you text says. Null: there is none.';
comment on column invite.surveys.button_url is 'Where that button leads, the same for everybody.';
comment on column invite.surveys.translations is
  'By language: {title, thanks, button_label, questions: {<id>: {label, min_label, max_label, low_thanks, middle_thanks, high_thanks, choices: {<choice>: its translation}}}}, each optional. Answers stay '
  'those of the questions. The trigger _400_translations checks its form.';
comment on column invite.surveys.translated_from is
  'By language: the {title, thanks, button_label, questions} that each text was translated from, so that pages say what has changed since; and in choices, by question, '
  'what choices that were renamed since were called. Empty: another editor changed it while it was translated.';
comment on column invite.surveys.time_zone is 'The time zone of the hours, for recipients without their own. Null: the workspace''s.';
comment on column invite.surveys.max_delay_hours is 'As workspaces.max_delay_hours, for this survey alone. Null: the workspace''s.';
comment on column invite.surveys.link_days is
  'A tracked link expires so many times 24 hours after its invitation was sent. Null: never.';
comment on column invite.surveys.response_limit is 'How many responses it takes before it is closed. Null: no limit.';
comment on column invite.surveys.closes_at is
  'From when it takes no responses and sends no email, also before close_surveys has written the state. Null: it is closed by hand.';
comment on column invite.surveys.activated_at is 'When it first became active: its emails could not leave earlier, so their delay counts from here. Null: it didn''t.';
comment on column invite.surveys.disabled_at is 'When it was disabled: trigger requests are rejected and due messages wait. Null: not disabled.';
comment on column invite.surveys.paused_at is 'When sending was paused for the survey: requests are accepted, due messages wait. Null: not paused.';
comment on column invite.surveys.created_at is 'When the survey was created here.';
comment on column invite.surveys.deletion_started_at is 'When delete_survey began, which takes several steps. Null: it didn''t.';

create index surveys_workspace_idx on invite.surveys (workspace_id, created_at desc, id);
comment on index invite.surveys_workspace_idx is 'The surveys of a workspace, the newest first.';
create index surveys_paused_idx on invite.surveys (id) where paused_at is not null;
comment on index invite.surveys_paused_idx is 'The surveys for which sending is paused, for the metrics.';
create index surveys_closing_idx on invite.surveys (closes_at) where state = 'active' and closes_at is not null;
comment on index invite.surveys_closing_idx is 'The surveys that a date will close, the next one first.';

create table invite.past_questions (
  survey_id text collate "C" not null,
  version integer not null,
  questions jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  constraint past_questions_pkey primary key (survey_id, version),
  constraint past_questions_survey_fkey foreign key (survey_id) references invite.surveys (id) on delete cascade
);
comment on table invite.past_questions is
  'The questions of a survey as they were asked before a change, so that each response is shown beside what was asked. Of what nobody was asked there is no row.';
comment on column invite.past_questions.survey_id is 'The survey.';
comment on column invite.past_questions.version is 'The survey''s questions_version while it asked them.';
comment on column invite.past_questions.questions is 'As surveys.questions.';
comment on column invite.past_questions.replaced_at is 'When they were changed.';

create table invite.question_drafts (
  survey_id text collate "C" not null,
  revision uuid not null,
  questions jsonb not null,
  questions_version integer not null,
  edited_by text collate "C" not null,
  edited_at timestamptz not null default clock_timestamp(),
  replaced_at timestamptz,
  constraint question_drafts_pkey primary key (survey_id, revision),
  constraint question_drafts_survey_fkey foreign key (survey_id) references invite.surveys (id) on delete cascade,
  constraint question_drafts_array check (jsonb_typeof(questions) = 'array'),
  constraint question_drafts_size check (octet_length(questions::text) <= 262144)
);
comment on table invite.question_drafts is
  'The questions of a survey as an editor has typed them, until they are published. Nobody is asked them, and they may be invalid. Each survey has '
  'at most one that isn''t replaced.';
comment on column invite.question_drafts.survey_id is 'The survey.';
comment on column invite.question_drafts.revision is 'A new one each time it is saved. Whoever saves names the revision that was edited, so that no editor overwrites another.';
comment on column invite.question_drafts.questions is 'As surveys.questions, but with any values. removed: it is left out when they are published.';
comment on column invite.question_drafts.questions_version is 'The survey''s questions_version when the draft was begun.';
comment on column invite.question_drafts.edited_by is 'The member who edited it last.';
comment on column invite.question_drafts.edited_at is 'When it was last edited.';
comment on column invite.question_drafts.replaced_at is
  'When another editor put other questions in its place. It is kept until the survey''s draft is published or discarded. Null: this is the draft.';

create unique index question_drafts_current_idx on invite.question_drafts (survey_id) where replaced_at is null;
comment on index invite.question_drafts_current_idx is 'A survey has one draft.';

create table invite.trigger_tokens (
  id uuid not null default gen_random_uuid(),
  survey_id text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  secret_hint text not null,
  previous_secret_hash bytea,
  previous_secret_hint text,
  previous_secret_until timestamptz,
  allow_reading boolean not null default false,
  cooldown_seconds integer not null default 60,
  default_subject text not null default '{{workspace_name}}: {{survey_title}}',
  default_message text not null default
    E'Hello {{recipient_name}},\n\n{{workspace_name}} would like your opinion: {{survey_title}}\n\n{{survey_link}}\n\nThank you!',
  default_reminders smallint[] not null default '{}',
  default_reminder_subject text,
  default_reminder_message text,
  ignores_rest boolean not null default false,
  is_by_hand boolean not null default false,
  question_in_email boolean not null default false,
  sender jsonb,
  translations jsonb,
  translated_from jsonb,
  created_by text,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  constraint trigger_tokens_pkey primary key (id),
  constraint trigger_tokens_survey_fkey foreign key (survey_id) references invite.surveys (id),
  constraint trigger_tokens_secret_hash_key unique (secret_hash),
  constraint trigger_tokens_secret_hash_length check (length(secret_hash) = 40),
  constraint trigger_tokens_previous_secret_form check (length(previous_secret_hash) = 40 and previous_secret_hash <> secret_hash and length(previous_secret_hint) <= 8),
  constraint trigger_tokens_previous_secret_whole check (num_nonnulls(previous_secret_hash, previous_secret_hint, previous_secret_until) in (0, 3)),
  constraint trigger_tokens_secret_hint_length check (length(secret_hint) <= 8),
  constraint trigger_tokens_name_length check (length(name) between 1 and 255),
  constraint trigger_tokens_name_marks check (name !~ invite.direction_marks()),
  constraint trigger_tokens_cooldown_range check (cooldown_seconds between 0 and 86400),
  constraint trigger_tokens_subject_length check (length(default_subject) between 1 and 255 and default_subject !~ '[\r\n]'),
  constraint trigger_tokens_subject_marks check (default_subject !~ invite.direction_marks()),
  constraint trigger_tokens_message_length check (octet_length(default_message) between 1 and 65536),
  constraint trigger_tokens_reminders_ascending check (
    cardinality(default_reminders) <= 5 and array_ndims(default_reminders) = 1 and array_lower(default_reminders, 1) = 1
    and array_position(default_reminders, null) is null and 1 <= all (default_reminders) and 365 >= all (default_reminders)
    and default_reminders[1] < default_reminders[2] and default_reminders[2] < default_reminders[3]
    and default_reminders[3] < default_reminders[4] and default_reminders[4] < default_reminders[5]
  ),
  constraint trigger_tokens_reminder_subject_length
    check (length(default_reminder_subject) between 1 and 255 and default_reminder_subject !~ '[\r\n]'),
  constraint trigger_tokens_reminder_subject_marks check (default_reminder_subject !~ invite.direction_marks()),
  constraint trigger_tokens_reminder_message_length check (octet_length(default_reminder_message) between 1 and 65536),
  constraint trigger_tokens_by_hand check (not is_by_hand or cooldown_seconds = 0 and secret_hint = '' and not allow_reading),
  -- Each batch has a copy.
  constraint trigger_tokens_translations_size check (octet_length(translations::text) <= 262144),
  constraint trigger_tokens_translated_from_size check (octet_length(translated_from::text) <= 4194304)
);
comment on table invite.trigger_tokens is 'What a backend authenticates with. Bound to one survey; carries defaults and a cooldown.';
comment on column invite.trigger_tokens.id is 'The token''s id. The secret is not derived from it.';
comment on column invite.trigger_tokens.survey_id is 'The only survey that the token can trigger.';
comment on column invite.trigger_tokens.name is 'What people call the token, such as the system that uses it.';
comment on column invite.trigger_tokens.secret_hash is 'Home and SHA-256 of the secret. The secret itself is never stored.';
comment on column invite.trigger_tokens.secret_hint is 'The last four characters of the secret, to tell tokens apart.';
comment on column invite.trigger_tokens.previous_secret_hash is 'As secret_hash, of the secret that was replaced last. Null: it was never replaced.';
comment on column invite.trigger_tokens.previous_secret_hint is 'As secret_hint, of the secret that was replaced last.';
comment on column invite.trigger_tokens.previous_secret_until is 'Until when the replaced secret is accepted beside the other.';
comment on column invite.trigger_tokens.allow_reading is 'Whether its secret also reads the batches and events of its survey over HTTP.';
comment on column invite.trigger_tokens.cooldown_seconds is 'Minimum seconds between two accepted requests.';
comment on column invite.trigger_tokens.default_subject is 'Subject of the invitation when the request has none.';
comment on column invite.trigger_tokens.default_message is 'Text of the invitation when the request has none.';
comment on column invite.trigger_tokens.default_reminders is
  'Days from the sent invitation to each of its reminders, ascending. Empty: no reminder.';
comment on column invite.trigger_tokens.default_reminder_subject is 'Null: the invitation''s subject after "Reminder: ".';
comment on column invite.trigger_tokens.default_reminder_message is 'Null: the invitation''s message.';
comment on column invite.trigger_tokens.ignores_rest is
  'Whether its invitations leave in spite of the workspace''s rest. What a recipient chose holds all the same.';
comment on column invite.trigger_tokens.is_by_hand is
  'Whether it is the token of lists that people upload (uploads). It has no secret: its secret_hash is random. A survey has at most one.';
comment on column invite.trigger_tokens.question_in_email is
  'Whether its emails ask the question of email_question. A click opens the survey page with that answer chosen, and stores nothing.';
comment on column invite.trigger_tokens.sender is 'What differs from the workspace''s sender, in the same form. Null: nothing.';
comment on column invite.trigger_tokens.translations is
  'By language (BCP 47): {subject, message, reminder_subject, reminder_message, recipient_word, greeting_without_name, subject_without_name, button_text, preheader}, each '
  'optional. The trigger _400_translations checks its form.';
comment on column invite.trigger_tokens.translated_from is
  'By language and name: what the original of each translated text said then, so that pages say what has changed since. Empty: another editor changed it '
  'while it was translated.';
comment on column invite.trigger_tokens.created_by is 'Email of the member who created the token. Null: the command line or the product did.';
comment on column invite.trigger_tokens.created_at is 'When the token was created.';
comment on column invite.trigger_tokens.deleted_at is 'When the token was deleted; its secret is unknown from then on.';

create unique index trigger_tokens_previous_secret_idx on invite.trigger_tokens (previous_secret_hash) where previous_secret_hash is not null;
comment on index invite.trigger_tokens_previous_secret_idx is 'The token of a replaced secret.';

create unique index trigger_tokens_by_hand_idx on invite.trigger_tokens (survey_id) where is_by_hand and deleted_at is null;
comment on index invite.trigger_tokens_by_hand_idx is 'The token of a survey''s uploads.';

create index trigger_tokens_survey_idx on invite.trigger_tokens (survey_id);
comment on index invite.trigger_tokens_survey_idx is 'The tokens of a survey, deleted ones too.';

------------------------------------------------------------------------------------------------------------------------------------
-- Trigger requests

create type invite.trigger_outcome as enum (
  'accepted', 'unknown_token', 'idempotency_key_reused', 'workspace_disabled', 'plan_required', 'survey_disabled', 'cooldown',
  'flood_protection'
);
comment on type invite.trigger_outcome is 'What becomes of a trigger request, in the order in which it is decided.';

create type invite.message_kind as enum ('invitation', 'reminder');
comment on type invite.message_kind is 'The first message of an invitation, or one of its reminders.';

create table invite.settings (
  one_row boolean not null default true,
  home text collate "C" not null default left(md5(gen_random_uuid()::text), 4),
  epoch text collate "C" not null default left(md5(gen_random_uuid()::text), 4),
  epoch_of text collate "C",
  cell_number smallint not null default 0,
  recipients_per_hour integer,
  paused_at timestamptz,
  constraint settings_pkey primary key (one_row),
  constraint settings_one_row check (one_row),
  constraint settings_home_form check (home ~ '^[a-z0-9]{4}$' and home <> 'test'),
  constraint settings_cell_number_range check (cell_number between 0 and 255),
  constraint settings_recipients_per_hour_positive check (recipients_per_hour > 0)
);
comment on table invite.settings is 'What holds for the whole service. One row.';
comment on column invite.settings.one_row is 'Always true: there is one row.';
comment on column invite.settings.home is
  'The name of this database: HOME_ID of the first migrate, or drawn at random by it. The homes of the workspaces that it creates begin with it. Sign-in '
  'links and sessions have it, with 0000 after it. It never changes.';
comment on column invite.settings.epoch is 'Part of the cursors of event readers: renew_epoch draws another one in a restored database.';
comment on column invite.settings.epoch_of is 'The cluster and database in which the epoch was drawn. Null: by the migration.';
comment on column invite.settings.cell_number is
  'CELL_NUMBER of the first migrate. The ids of its rows begin at this many times 2^44, so that those of several databases never meet, and all are exact in '
  'JSON. It never changes.';
comment on column invite.settings.recipients_per_hour is
  'FLOOD_RECIPIENTS_PER_HOUR of the last migrate: the most that a separate role may apply. Null: no bound.';
comment on column invite.settings.paused_at is 'When sending was paused for everyone: requests are accepted, due messages wait. Null: not paused.';

insert into invite.settings default values;
-- Autovacuum never analyzes so few rows, and without it the planner expects hundreds.
analyze invite.settings;

create type invite.unsent_reason as enum (
  'failed', 'cancelled', 'sending', 'not_due', 'retry_later', 'responded', 'suppressed', 'declined', 'content_rejected', 'survey_ended', 'link_expired',
  'too_late', 'held', 'requeueing', 'rests_too_long', 'opens_too_late', 'capped_too_long', 'resting', 'outside_hours', 'capped', 'no_worker', 'relay_paused',
  'job_running', 'job_lost', 'job_postponed', 'ready'
);
comment on type invite.unsent_reason is
  'Why an email hasn''t been sent. departure_reason decides; the view unsent_messages adds what depends on its job (job_running, job_lost, '
  'job_postponed). ready: nothing stops it, and it is about to be sent.';

create table invite.batches (
  id uuid not null,
  trigger_token_id uuid not null,
  accepted_at timestamptz not null,
  scheduled_at timestamptz not null,
  workspace_total bigint,
  recipients integer not null,
  content_rejections smallint not null default 0,
  rejected_kind invite.message_kind,
  deferred_for invite.unsent_reason[],
  question_in_email boolean not null default false,
  workspace_id text collate "C" not null,
  survey_id text collate "C" not null,
  reminders smallint[] not null default '{}',
  language text collate "C",
  subject_language text collate "C",
  message_language text collate "C",
  time_zone text collate "C",
  subject text not null,
  message text not null,
  reminder_subject text,
  reminder_message text,
  sender jsonb,
  translations jsonb,
  metadata jsonb,
  constraint batches_pkey primary key (id),
  constraint batches_survey_fkey foreign key (survey_id) references invite.surveys (id),
  constraint batches_trigger_token_fkey foreign key (trigger_token_id) references invite.trigger_tokens (id),
  constraint batches_recipients_positive check (recipients > 0),
  constraint batches_subject_length check (length(subject) between 1 and 255 and subject !~ '[\r\n]'),
  constraint batches_subject_marks check (subject !~ invite.direction_marks()),
  constraint batches_message_length check (octet_length(message) between 1 and 65536),
  constraint batches_language_tag check (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' and length(language) <= 35),
  constraint batches_time_zone_length check (length(time_zone) between 1 and 64),
  constraint batches_metadata_object check (jsonb_typeof(metadata) = 'object'),
  constraint batches_reminders_ascending check (
    cardinality(reminders) <= 5 and array_ndims(reminders) = 1 and array_lower(reminders, 1) = 1
    and array_position(reminders, null) is null and 1 <= all (reminders) and 365 >= all (reminders)
    and reminders[1] < reminders[2] and reminders[2] < reminders[3] and reminders[3] < reminders[4] and reminders[4] < reminders[5]
  ),
  constraint batches_reminder_subject_length check (length(reminder_subject) between 1 and 255 and reminder_subject !~ '[\r\n]'),
  constraint batches_reminder_message_length check (octet_length(reminder_message) between 1 and 65536)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.batches is 'One accepted trigger request. Its status is derived: see the view batch_overview.';
comment on column invite.batches.id is 'A version 7 UUID of accepted_at; the caller gets it.';
comment on column invite.batches.trigger_token_id is 'The token that the request came with.';
comment on column invite.batches.accepted_at is 'When the request was accepted.';
comment on column invite.batches.scheduled_at is 'When the batch becomes due.';
comment on column invite.batches.workspace_total is
  'Accepted recipients of the workspace, with this batch: its quota is the difference of two totals, so that accepting only inserts rows. Null: '
  'invited from SQL a moment ago, see count_batches.';
comment on column invite.batches.recipients is 'How many recipients the request had, each with an invitation.';
comment on column invite.batches.reminders is 'Days from the sent invitation to each of its reminders, ascending. Empty: no reminder.';
comment on column invite.batches.content_rejections is
  'Messages of it that the relay has rejected for what they are, not for their recipient, since it last took one.';
comment on column invite.batches.rejected_kind is
  'Which message is no longer tried, because the relay rejected five in a row (content_rejected). Null: none. A retry by hand clears it.';
comment on column invite.batches.deferred_for is 'The rules for which invitation.deferred was recorded: once each. Null: none.';
comment on column invite.batches.question_in_email is 'The token''s when the request was accepted.';
comment on column invite.batches.workspace_id is 'The survey''s workspace, copied so that lists of a workspace need no join.';
comment on column invite.batches.survey_id is 'The survey that its recipients are invited to.';
comment on column invite.batches.language is 'The language of recipients without their own, as the request says. Null: the survey''s.';
comment on column invite.batches.subject_language is 'The language of the request''s own subject. Null: the survey''s.';
comment on column invite.batches.message_language is 'The language of the request''s own message. Null: the survey''s.';
comment on column invite.batches.time_zone is 'The time zone of recipients without their own, as the request says. Null: the survey''s.';
comment on column invite.batches.subject is 'The template as it was accepted; the token''s defaults may have changed since.';
comment on column invite.batches.message is 'The template as it was accepted, like subject.';
comment on column invite.batches.reminder_subject is 'The token''s when the request was accepted. Null: the batch''s subject after "Reminder: ".';
comment on column invite.batches.reminder_message is 'The token''s when the request was accepted. Null: the batch''s message.';
comment on column invite.batches.sender is 'The token''s when the request was accepted. Null: the workspace''s, as it is when the email is sent.';
comment on column invite.batches.translations is 'The token''s when the request was accepted, without those of texts that the request had itself.';
comment on column invite.batches.metadata is 'The request''s metadata, shown beside the responses of this batch.';

-- Not a constraint, whose columns would be a key: count_batches would wait for each transaction that has a row with a foreign key to a batch.
create unique index batches_workspace_total_idx on invite.batches (workspace_id, workspace_total) where workspace_total is not null;
comment on index invite.batches_workspace_total_idx is 'The newest batches of a workspace, and the batch that a total falls in. Each total once.';
create index batches_uncounted_idx on invite.batches (workspace_id) include (recipients) where workspace_total is null;
comment on index invite.batches_uncounted_idx is 'What count_batches takes, and how many recipients check_triggers adds to the totals.';
create index batches_survey_idx on invite.batches (survey_id, accepted_at);
comment on index invite.batches_survey_idx is 'The newest batches of a survey.';
create index batches_trigger_token_idx on invite.batches (trigger_token_id, workspace_total);
comment on index invite.batches_trigger_token_idx is
  'The newest batch of a token: its cooldown. By total, because the clock may be set back.';

create table invite.idempotency_keys (
  trigger_token_id uuid not null,
  key text collate "C" not null,
  payload_hash bytea not null,
  batch_id uuid not null,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (trigger_token_id, key),
  constraint idempotency_keys_trigger_token_fkey
    foreign key (trigger_token_id) references invite.trigger_tokens (id) on delete cascade,
  constraint idempotency_keys_batch_fkey foreign key (batch_id) references invite.batches (id) on delete cascade,
  constraint idempotency_keys_batch_key unique (batch_id),
  constraint idempotency_keys_key_length check (length(key) between 1 and 255),
  constraint idempotency_keys_payload_hash_sha256 check (length(payload_hash) = 32)
);
comment on table invite.idempotency_keys is
  'Keys of accepted requests: a repeated request gets the batch of the first one. Valid for 24 hours, then pruned.';
comment on column invite.idempotency_keys.trigger_token_id is 'Each token has keys of its own.';
comment on column invite.idempotency_keys.key is 'The header Idempotency-Key as it was sent.';
comment on column invite.idempotency_keys.payload_hash is
  'SHA-256 of the checked payload, without the secret: the same key with another payload is rejected.';
comment on column invite.idempotency_keys.batch_id is 'The batch that a repeated request gets.';
comment on column invite.idempotency_keys.created_at is 'When the request was accepted.';

create index idempotency_keys_created_idx on invite.idempotency_keys (created_at);
comment on index invite.idempotency_keys_created_idx is 'What is to be pruned.';

------------------------------------------------------------------------------------------------------------------------------------
-- Uploads: lists of people that a member or the command line invites

create type invite.upload_state as enum ('reading', 'checked', 'sending', 'sent', 'cancelling', 'cancelled');
comment on type invite.upload_state is
  'reading: its lines are being stored. checked: a person looks at what would happen. sending: its people are being invited, batch by batch. '
  'sent: all are. cancelling: its batches are being cancelled. cancelled: they are.';

create type invite.line_outcome as enum ('new', 'resting', 'outside_hours', 'capped', 'unsent', 'suppressed', 'declined', 'repeated', 'invalid');
comment on type invite.line_outcome is
  'What will become of a line. new: it leaves when it is due. resting: later, because its address was invited recently. outside_hours: later, within '
  'the hours. capped: later, under a cap. unsent: a rule will end it. Those that follow are not invited. suppressed: on the do-not-email list. declined: wants no email about the survey. '
  'repeated: an earlier line has the address. invalid: no recipient can be made of it.';

create table invite.uploads (
  id uuid not null default gen_random_uuid(),
  workspace_id text collate "C" not null,
  survey_id text collate "C" not null,
  state invite.upload_state not null default 'reading',
  waits_for invite.trigger_outcome,
  name text not null,
  columns jsonb not null default '[]',
  digest bytea,
  lines integer not null default 0,
  people integer not null default 0,
  accepted integer not null default 0,
  send_at timestamptz,
  forecast jsonb,
  created_by text not null,
  sent_by text,
  created_at timestamptz not null,
  checked_at timestamptz,
  sent_at timestamptz,
  next_at timestamptz,
  ended_at timestamptz,
  constraint uploads_pkey primary key (id),
  constraint uploads_survey_fkey foreign key (survey_id) references invite.surveys (id) on delete cascade,
  constraint uploads_name_length check (length(name) between 1 and 255 and name !~ '[[:cntrl:]]'),
  constraint uploads_columns_size check (jsonb_typeof(columns) = 'array' and octet_length(columns::text) <= 65536),
  constraint uploads_digest_sha256 check (length(digest) = 32),
  constraint uploads_lines_range check (lines between 0 and 20000),
  constraint uploads_next check ((next_at is not null) = (state in ('sending', 'cancelling')))
);
comment on table invite.uploads is
  'A list of people that a member or the command line invites to a survey. Kept for a day until it is sent, then for 90 days without its lines.';
comment on column invite.uploads.id is 'Identifies the upload.';
comment on column invite.uploads.workspace_id is 'The survey''s workspace, copied so that its limits need no join.';
comment on column invite.uploads.survey_id is 'The survey that its people are invited to.';
comment on column invite.uploads.state is 'See the type.';
comment on column invite.uploads.waits_for is 'Why its next batch was rejected: it is tried again. flood_protection: the workspace''s hourly quota. Null: it wasn''t.';
comment on column invite.uploads.name is 'The name of the file, or that the list was pasted.';
comment on column invite.uploads.columns is
  'Its columns in order: [{"name": heading or "", "as": "email" | "name" | "language" | "time_zone" | "metadata" | null}]. Null: the column is left out.';
comment on column invite.uploads.digest is 'SHA-256 of its cells, to notice a list that was sent before. Null: it is being read.';
comment on column invite.uploads.lines is 'How many lines it has, without the headings and empty ones.';
comment on column invite.uploads.people is 'How many of its lines are to be invited, as last checked.';
comment on column invite.uploads.accepted is 'How many of them have been invited.';
comment on column invite.uploads.send_at is 'When its emails are due. Null: as soon as they are accepted.';
comment on column invite.uploads.forecast is 'The type forecast as JSON: when its emails leave, as last checked. Null: not checked yet.';
comment on column invite.uploads.created_by is 'Email of the member who uploaded it, or cli.';
comment on column invite.uploads.sent_by is 'Email of the member who sent it, or cli. Null: it isn''t sent.';
comment on column invite.uploads.created_at is 'When it was uploaded.';
comment on column invite.uploads.checked_at is 'When its lines were last checked.';
comment on column invite.uploads.sent_at is 'When a person sent it.';
comment on column invite.uploads.next_at is 'When its next batch is accepted or cancelled. Null: there is none.';
comment on column invite.uploads.ended_at is 'When its last batch was accepted or cancelled.';

create index uploads_survey_idx on invite.uploads (survey_id, created_at desc, id);
comment on index invite.uploads_survey_idx is 'The uploads of a survey, the newest first.';
create index uploads_workspace_idx on invite.uploads (workspace_id, state);
comment on index invite.uploads_workspace_idx is 'The uploads of a workspace, for their limits, and to erase an address.';
create index uploads_next_idx on invite.uploads (next_at) where next_at is not null;
comment on index invite.uploads_next_idx is 'What accept_uploads does next.';
create index uploads_created_idx on invite.uploads (created_at);
comment on index invite.uploads_created_idx is 'What is to be pruned.';

create table invite.upload_lines (
  upload_id uuid not null,
  number integer not null,
  outcome invite.line_outcome not null,
  cells text[] not null,
  email text collate "C",
  recipient jsonb,
  leaves_at timestamptz,
  reason invite.unsent_reason,
  constraint upload_lines_pkey primary key (upload_id, number),
  constraint upload_lines_upload_fkey foreign key (upload_id) references invite.uploads (id) on delete cascade,
  constraint upload_lines_number_positive check (number > 0),
  constraint upload_lines_recipient check (num_nonnulls(email, recipient) in (0, 2) and (email is null) = (outcome = 'invalid')),
  constraint upload_lines_size check (octet_length(cells::text) <= 65536)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table invite.upload_lines is
  'The lines of uploads that aren''t invited, yet or at all. Accepting a batch deletes its lines; what is left stays for 7 days.';
comment on column invite.upload_lines.upload_id is 'The upload.';
comment on column invite.upload_lines.number is 'The line of the file, from 1.';
comment on column invite.upload_lines.outcome is 'What will become of it, as last checked.';
comment on column invite.upload_lines.cells is 'What the line says, so that columns can be given another meaning.';
comment on column invite.upload_lines.email is 'The address in lower case. Null: the line is invalid.';
comment on column invite.upload_lines.recipient is 'The recipient for accept_triggers. Null: the line is invalid.';
comment on column invite.upload_lines.leaves_at is 'When its email leaves. Null: as soon as it is accepted, or it doesn''t.';
comment on column invite.upload_lines.reason is 'Why its email won''t leave. Null: it does, or the outcome says it.';

create index upload_lines_outcome_idx on invite.upload_lines (upload_id, outcome, number);
comment on index invite.upload_lines_outcome_idx is 'The lines of an upload by what becomes of them, for its page and its next batch.';

create table invite.upload_batches (
  batch_id uuid not null,
  upload_id uuid not null,
  cancelled_at timestamptz,
  constraint upload_batches_pkey primary key (batch_id),
  constraint upload_batches_batch_fkey foreign key (batch_id) references invite.batches (id) on delete cascade,
  constraint upload_batches_upload_fkey foreign key (upload_id) references invite.uploads (id) on delete cascade
);
comment on table invite.upload_batches is 'The batches of uploads.';
comment on column invite.upload_batches.batch_id is 'The batch.';
comment on column invite.upload_batches.upload_id is 'Its upload.';
comment on column invite.upload_batches.cancelled_at is 'When it was cancelled with its upload. Null: it wasn''t.';

create index upload_batches_upload_idx on invite.upload_batches (upload_id);
comment on index invite.upload_batches_upload_idx is 'The batches of an upload.';

create type invite.upload_quota as (
  per_hour integer,
  free integer
);
comment on type invite.upload_quota is
  'per_hour: how many people a workspace''s uploads may invite in an hour. free: how many of them now. They leave a fifth of the quota to its backends.';

create type invite.survey_rules as (
  survey_id text,
  workspace_id text,
  time_zones text[],
  open_hours int4multirange,
  closed_days datemultirange,
  rest_days integer,
  has_choices boolean,
  delay_hours integer,
  link_days integer,
  closes_at timestamptz,
  activated_at timestamptz,
  has_caps boolean
);
comment on type invite.survey_rules is
  'What a survey and its workspace say about when an email may leave. has_choices: recipients of the workspace have chosen something. delay_hours: '
  'after so many hours an email is skipped. has_caps: it may have to wait for a place under a cap.';

create type invite.trigger_result as (
  outcome invite.trigger_outcome,
  retry_after_seconds integer,
  batch_id uuid,
  scheduled_at timestamptz,
  status text,
  replayed boolean,
  deferred boolean,
  hold_reason invite.hold_reason,
  suppressed integer,
  resting integer,
  leave_by timestamptz,
  request integer,
  workspace_id text,
  survey_id text
);
comment on type invite.trigger_result is
  'What became of one trigger request. request: its place in the call, from 0. workspace_id, survey_id: the token''s; null: it is unknown. '
  'batch_id, scheduled_at, status, replayed, deferred, hold_reason, '
  'suppressed, resting and leave_by are null unless the outcome is accepted. replayed: the batch was queued by an earlier request with the same idempotency key. deferred: '
  'its jobs are left to queue_accepted. hold_reason: why its email waits now; null: it doesn''t. suppressed: recipients whom the workspace must not '
  'email; null: of an earlier request. resting: recipients who were invited recently, so that they rest now; null: the workspace has no rest, or the '
  'token ignores it. leave_by: when what hasn''t left is skipped; null: never.';

create type invite.trigger_check as (
  request integer,
  token_id uuid,
  survey_id text,
  workspace_id text,
  recipients integer,
  workspace_total bigint,
  records_events boolean,
  hold_reason invite.hold_reason,
  rules invite.survey_rules,
  result invite.trigger_result,
  is_test boolean
);
comment on type invite.trigger_check is
  'What check_triggers says of one request. result: null if it can be accepted, with this workspace_total; otherwise a rejection, or the replay of an earlier batch.';

create type invite.quota as (
  "limit" integer,
  remaining integer
);
comment on type invite.quota is 'Recipients that a workspace may invite in any rolling hour, and those that it may still invite now.';

create type invite.job_request as (
  invitation_id bigint,
  run_at timestamptz
);
comment on type invite.job_request is 'An invitation and when a job is to look at it.';

------------------------------------------------------------------------------------------------------------------------------------
-- Invitations and their messages

create type invite.message_status as enum (
  'queued', 'sending', 'waiting', 'sent', 'failed', 'suppressed', 'cancelled', 'answered', 'skipped'
);
comment on type invite.message_status is
  'queued: to be sent at not_before. sending: a worker has claimed it. waiting: due, but held (hold_reason). '
  'Ends: sent, failed (see last_error_code), suppressed (the address must not be emailed), cancelled, answered (the recipient has responded), '
  'skipped (a rule about when it may leave ended it: see rule).';

-- In the migration because the trigger of messages asks it for each row.
create function invite.is_test(invitation_id bigint) returns boolean
language sql immutable parallel safe
as $$
  select invitation_id >= 4503599627370496
$$;
comment on function invite.is_test(bigint) is 'Whether an invitation is of a test workspace: their ids begin at 2^52, so that each job and view knows them.';

create sequence invite.test_invitation_ids as bigint minvalue 4503599627370496;
comment on sequence invite.test_invitation_ids is 'The ids of invitations of test workspaces: see is_test.';

create table invite.invitations (
  id bigint generated always as identity,
  responded_at timestamptz,
  bounced_at timestamptz,
  erased_at timestamptz,
  batch_id uuid not null,
  secret uuid not null default gen_random_uuid(),
  workspace_id text collate "C" not null,
  survey_id text collate "C" not null,
  email text collate "C",
  name text,
  language text collate "C",
  time_zone text collate "C",
  metadata jsonb,
  constraint invitations_pkey primary key (id),
  constraint invitations_email_length check (length(email) between 3 and 254),
  constraint invitations_name_length check (length(name) <= 255),
  constraint invitations_language_tag check (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' and length(language) <= 35),
  constraint invitations_time_zone_length check (length(time_zone) between 1 and 64),
  constraint invitations_metadata_object check (jsonb_typeof(metadata) = 'object'),
  constraint invitations_erased check (
    case when erased_at is null then email is not null else num_nonnulls(email, name) = 0 end
  )
) with (fillfactor = 95, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.invitations is
  'One recipient of a batch. A row changes only when the recipient responds, the address bounces, or the address is erased. The emails are messages.';
comment on column invite.invitations.id is 'In the order of acceptance. Public in the relay''s metadata: never trust it alone.';
comment on column invite.invitations.responded_at is 'When the recipient responded; nothing is sent after that.';
comment on column invite.invitations.bounced_at is 'When a relay first reported that the address is no mailbox. Null: it didn''t.';
comment on column invite.invitations.erased_at is
  'When address, name and the relay''s words (messages.last_error) were erased. The link, the metadata and the times stay.';
comment on column invite.invitations.batch_id is 'The request that invited this recipient. A trigger keeps it, in place of a foreign key.';
comment on column invite.invitations.secret is
  'The secret of the tracked link: 122 random bits. Never log it. link_token makes the link''s token of it.';
comment on column invite.invitations.workspace_id is 'The batch''s workspace, copied so that nothing of another workspace is read.';
comment on column invite.invitations.survey_id is 'The batch''s survey, copied for links and events.';
comment on column invite.invitations.email is 'The recipient''s address. Null once it is erased. It is found by invite.addresses.';
comment on column invite.invitations.name is 'The recipient''s name, if the request had one. Null once it is erased.';
comment on column invite.invitations.language is 'The recipient''s language (BCP 47). Null: the batch''s.';
comment on column invite.invitations.time_zone is 'The recipient''s time zone. Null: the batch''s.';
comment on column invite.invitations.metadata is 'This recipient''s own metadata; its keys win over the batch''s.';

create index invitations_batch_idx on invite.invitations (batch_id);
comment on index invite.invitations_batch_idx is 'A batch''s invitations.';

create table invite.addresses (
  workspace_id text collate "C" not null,
  email text collate "C" not null,
  invitation_id bigint not null,
  constraint addresses_pkey primary key (workspace_id, email, invitation_id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.addresses is
  'Whom a workspace has invited: what finds an invitation by its address. Its index begins with the workspace, so that what others have in theirs '
  'changes nothing here. Rows are only inserted, with the invitation, and deleted, once its address is erased or it is deleted.';
comment on column invite.addresses.workspace_id is 'The workspace of the invitation.';
comment on column invite.addresses.email is 'The recipient''s address, in lower case.';
comment on column invite.addresses.invitation_id is 'The invitation. No foreign key: it would be looked up for each row.';

create table invite.messages (
  invitation_id bigint not null,
  due_at timestamptz not null,
  not_before timestamptz,
  sweep_at timestamptz,
  sent_at timestamptz,
  failed_at timestamptz,
  skipped_at timestamptz,
  cancelled_at timestamptz,
  unconfirmed_since timestamptz,
  status invite.message_status not null default 'queued',
  number smallint not null default 0,
  message_kind invite.message_kind not null
    generated always as (case when number = 0 then 'invitation'::invite.message_kind else 'reminder'::invite.message_kind end) stored,
  attempts smallint not null default 0,
  is_last boolean not null default true,
  is_erased boolean not null default false,
  records_events boolean not null default false,
  ignores_rest boolean not null default false,
  rule invite.unsent_reason,
  retried_at timestamptz,
  worker_id uuid,
  claim_id uuid,
  survey_id text collate "C" not null,
  last_error_code text,
  last_error text,
  relay_message_id text,
  constraint messages_pkey primary key (invitation_id, number),
  constraint messages_number_range check (number between 0 and 5),
  constraint messages_pending check ((status in ('queued', 'sending', 'waiting')) = (not_before is not null)),
  constraint messages_swept check ((status = 'queued') = (sweep_at is not null)),
  constraint messages_claimed check ((status = 'sending') = (claim_id is not null) and (claim_id is null) = (worker_id is null)),
  constraint messages_cancelled check (cancelled_at is null or status not in ('queued', 'waiting')),
  constraint messages_ended check (not_before is not null or num_nonnulls(sent_at, failed_at, skipped_at, cancelled_at) > 0),
  constraint messages_followed check (is_last or status = 'sent'),
  -- No message that is to be sent has lost its address.
  constraint messages_erased check (not is_erased or num_nonnulls(not_before, last_error) = 0)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table invite.messages is
  'One email to one recipient, and its state machine: queued -> sending -> sent, queued -> waiting -> queued, sending -> queued (try again), and the '
  'ends failed, suppressed, cancelled, answered, skipped. A reminder is a message of its own, which is made when the message before it was sent.';
comment on column invite.messages.invitation_id is
  'The recipient. No foreign key, which would lock the invitation for each message: a trigger deletes the messages of deleted invitations.';
comment on column invite.messages.due_at is 'When it was wanted: by the request, or days after the message before it. Rescheduling and reminding now change it.';
comment on column invite.messages.not_before is 'When a worker may take it: at first due_at, after a failed attempt later. Null once it has ended.';
comment on column invite.messages.sweep_at is
  'When the sweep makes a job for a queued row: shortly before not_before for a reminder, which has none until then; '
  'half a minute after the job should have run for all others, in case it was lost; then every minute. infinity: its workspace is a test.';
comment on column invite.messages.sent_at is 'When the relay accepted it.';
comment on column invite.messages.failed_at is 'When it last ended as failed or suppressed.';
comment on column invite.messages.skipped_at is 'When it ended because its recipient had responded, or because a rule said so.';
comment on column invite.messages.cancelled_at is
  'When it was cancelled; nothing more is sent after that. With status sending: a worker already had it, and it may have left.';
comment on column invite.messages.unconfirmed_since is
  'Since when it may have been sent: its first attempt with an unknown outcome. Null: there was none.';
comment on column invite.messages.status is 'See the type.';
comment on column invite.messages.number is '0: the invitation. From 1: its reminders.';
comment on column invite.messages.message_kind is 'What people call a message of this number.';
comment on column invite.messages.attempts is 'Attempts to send it. A pause of the whole relay counts none.';
comment on column invite.messages.is_last is 'Whether no message of the invitation follows it, so far.';
comment on column invite.messages.is_erased is 'Whether the recipient''s address was erased. Here for the index messages_ended_idx.';
comment on column invite.messages.records_events is
  'Whether its workspace recorded events when the request was accepted. Here because a trigger''s condition can''t read another table.';
comment on column invite.messages.ignores_rest is 'Whether a person sends it in spite of a rest.';
comment on column invite.messages.rule is
  'The rule that moved not_before, or that ended it: what a claim found (departure_reason). Null: none did.';
comment on column invite.messages.retried_at is 'When a person last sent it again: its deadline counts from here. Null: from due_at.';
comment on column invite.messages.worker_id is 'The worker that holds the row while it is sending.';
comment on column invite.messages.claim_id is 'The claim that holds the row: a settle of any other claim changes nothing.';
comment on column invite.messages.survey_id is 'The batch''s survey, copied for claims, requeueing and lists.';
comment on column invite.messages.last_error_code is 'Why the last attempt did not succeed: the relay''s code or ours.';
comment on column invite.messages.last_error is 'The relay''s words, or ours, about the last attempt. Null once erased: they may quote the address.';
comment on column invite.messages.relay_message_id is 'The relay''s own id of it.';

-- In the migration because an index holds its results: it must not change without a new index.
create function invite.ended_at(sent_at timestamptz, failed_at timestamptz, skipped_at timestamptz, cancelled_at timestamptz)
returns timestamptz
language sql immutable parallel safe
as $$
  select greatest(sent_at, failed_at, skipped_at, cancelled_at)
$$;
comment on function invite.ended_at(timestamptz, timestamptz, timestamptz, timestamptz) is
  'When a message was last sent, skipped or cancelled, or failed. A failure counts, so that a message that failed after a long wait can still be seen.';

create index messages_waiting_idx on invite.messages (survey_id, invitation_id) where status = 'waiting';
comment on index invite.messages_waiting_idx is 'What to requeue when a survey becomes sendable.';
create index messages_waiting_due_idx on invite.messages (survey_id, due_at) where status = 'waiting';
comment on index invite.messages_waiting_due_idx is 'The waiting messages of a survey, the oldest first: what its rules end while it is held.';
create index messages_sweep_idx on invite.messages (sweep_at, not_before) where status = 'queued';
comment on index invite.messages_sweep_idx is
  'What the sweep makes jobs for. With not_before, so that what is due is found without reading rows.';
create index messages_tested_idx on invite.messages (survey_id, not_before, invitation_id) where status = 'queued' and sweep_at = 'infinity';
comment on index invite.messages_tested_idx is 'What comes next in a test workspace, where nothing is swept.';
create index messages_sending_idx on invite.messages (worker_id) where status = 'sending';
comment on index invite.messages_sending_idx is 'What a lost worker held.';
create index messages_ruled_idx on invite.messages (survey_id, invitation_id) where rule is not null and status = 'queued';
comment on index invite.messages_ruled_idx is 'What a rule has put off, to be looked at again when the rule changes, and to be listed.';
create index messages_failed_idx on invite.messages (survey_id, invitation_id) where status = 'failed';
comment on index invite.messages_failed_idx is 'What has failed of a survey, for retry_survey.';
create index messages_failed_at_idx on invite.messages (failed_at) where status = 'failed';
comment on index invite.messages_failed_at_idx is 'The emails that failed last, of all surveys.';
create index messages_skipped_at_idx on invite.messages (skipped_at) where status = 'skipped';
comment on index invite.messages_skipped_at_idx is 'The emails that were skipped last, of all surveys.';
create index messages_unconfirmed_idx on invite.messages (unconfirmed_since)
where status = 'failed' and last_error_code = 'unconfirmed';
comment on index invite.messages_unconfirmed_idx is 'What an event of the relay may still confirm, for confirm_invitations.';
-- By the pair that display_status is made of: its rule can change without a new index. Without sending: a claim adds nothing to it.
create index messages_listed_idx on invite.messages (survey_id, status, message_kind, invitation_id) where is_last and status <> 'sending';
comment on index invite.messages_listed_idx is 'The invitations of a survey by the status of their last message, newest first, for its page.';
create index messages_ended_idx on invite.messages (is_last, invite.ended_at(sent_at, failed_at, skipped_at, cancelled_at))
  where not_before is null and not is_erased;
comment on index invite.messages_ended_idx is
  'What erase_expired takes: invitations that still have an address, by the end of their last message. And what was sent recently, for emails_per_minute.';

------------------------------------------------------------------------------------------------------------------------------------
-- Test workspaces

create type invite.test_behavior as enum ('delivered', 'hard_bounce', 'complaint', 'unsubscribes', 'opens', 'responds');
comment on type invite.test_behavior is 'What a simulated recipient, or the relay on its behalf, does with an email.';

create table invite.test_emails (
  id bigint generated always as identity,
  workspace_id text collate "C" not null,
  invitation_id bigint not null,
  message_number smallint not null,
  sent_at timestamptz not null,
  email jsonb not null,
  constraint test_emails_pkey primary key (id),
  constraint test_emails_message_key unique (invitation_id, message_number),
  constraint test_emails_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade
);
comment on table invite.test_emails is 'The outbox of test workspaces: what would have left, as a relay would have got it.';
comment on column invite.test_emails.id is 'In the order of sending.';
comment on column invite.test_emails.workspace_id is 'The test workspace.';
comment on column invite.test_emails.invitation_id is 'The invitation. A trigger deletes the emails of deleted invitations.';
comment on column invite.test_emails.message_number is '0: the invitation. From 1: its reminders.';
comment on column invite.test_emails.sent_at is 'When it left, by the clock of the workspace.';
comment on column invite.test_emails.email is '{to, from, reply_to, subject, text, html, headers, links: {survey, unsubscribe}}.';

create index test_emails_workspace_idx on invite.test_emails (workspace_id, id);
comment on index invite.test_emails_workspace_idx is 'The emails of a test workspace, newest first.';

create table invite.test_plans (
  id bigint generated always as identity,
  workspace_id text collate "C" not null,
  at timestamptz not null,
  invitation_id bigint not null,
  behavior invite.test_behavior not null,
  score smallint,
  constraint test_plans_pkey primary key (id),
  constraint test_plans_score_range check (score between 0 and 10),
  constraint test_plans_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade
);
comment on table invite.test_plans is 'What simulated recipients will do, and when.';
comment on column invite.test_plans.id is 'In the order of planning.';
comment on column invite.test_plans.workspace_id is 'The test workspace.';
comment on column invite.test_plans.at is 'When, by the clock of the workspace.';
comment on column invite.test_plans.invitation_id is 'Who.';
comment on column invite.test_plans.behavior is 'What.';
comment on column invite.test_plans.score is 'What they answer to each question that takes a number. Null: they don''t respond.';

create index test_plans_workspace_idx on invite.test_plans (workspace_id, at, id);
comment on index invite.test_plans_workspace_idx is 'What comes next in a test workspace.';
create index test_plans_invitation_idx on invite.test_plans (invitation_id);
comment on index invite.test_plans_invitation_idx is 'What goes with an invitation that is deleted or erased.';

create table invite.test_advances (
  id uuid not null default gen_random_uuid(),
  workspace_id text collate "C" not null,
  since timestamptz,
  until timestamptz,
  moves_by interval,
  requested_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  counts jsonb not null default '{}',
  happened jsonb not null default '[]',
  constraint test_advances_pkey primary key (id),
  constraint test_advances_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade
);
comment on table invite.test_advances is 'Requests to move the clock of a test workspace, and what happened. They are deleted after a day.';
comment on column invite.test_advances.id is 'Identifies the request.';
comment on column invite.test_advances.workspace_id is 'The test workspace.';
comment on column invite.test_advances.since is 'What its clock said when the request was begun. Null: it waits for others.';
comment on column invite.test_advances.until is 'To what time. Null: by moves_by or, without it, to the next time at which something happens.';
comment on column invite.test_advances.moves_by is 'By how much, from when it is begun: those before it have then moved the clock.';
comment on column invite.test_advances.requested_at is 'When it was asked for, by the real clock.';
comment on column invite.test_advances.ended_at is 'When it ended, by the real clock. Null: it hasn''t.';
comment on column invite.test_advances.counts is 'How often each type of event happened.';
comment on column invite.test_advances.happened is 'The first 1,000 events, in order: [{type, at, survey_id, batch_id, invitation_id, email, message_number, code}].';

create index test_advances_workspace_idx on invite.test_advances (workspace_id, requested_at);
comment on index invite.test_advances_workspace_idx is 'The last advance of a workspace, and those that are a day old.';
create index test_advances_open_idx on invite.test_advances (workspace_id, requested_at) where ended_at is null;
comment on index invite.test_advances_open_idx is 'The advances of a workspace that have not ended: one after the other.';

create type invite.verdict as enum ('never', 'held', 'later', 'leave');
comment on type invite.verdict is
  'Whether an email may leave. never: it ends as soon as a worker looks at it. held: nobody knows until when; somebody must act. later: by itself, '
  'at a time that departures knows, or at once. leave: now. See verdict_of.';

create type invite.deadline as (
  at timestamptz,
  reason invite.unsent_reason
);
comment on type invite.deadline is 'When a message has to have left, and with which reason it is skipped after that.';

create type invite.wait as (
  until timestamptz,
  reason invite.unsent_reason
);
comment on type invite.wait is 'Until when a rule makes a message wait. until: infinity if nobody knows.';

create type invite.pending_message as (
  invitation_id bigint,
  contact bigint,
  due_at timestamptz,
  planned_at timestamptz,
  look_at timestamptz,
  left_at timestamptz,
  rests_at_most_until timestamptz,
  responded_at timestamptz,
  unconfirmed_since timestamptz,
  leaves_at timestamptz,
  rest_days integer,
  number smallint,
  is_asked boolean,
  is_held boolean,
  is_suppressed boolean,
  has_declined boolean,
  is_rejected boolean,
  reason invite.unsent_reason,
  deadline invite.deadline,
  time_zones text[],
  promised_at timestamptz,
  sender_domain text collate "C",
  recipient_domain text collate "C",
  is_small boolean,
  is_capped boolean
);
comment on type invite.pending_message is
  'A message of a forecast, as far as it has come. planned_at: when it would leave without rules. look_at: when a worker looks at it next. contact: '
  'the same for all messages that may rest for each other, and left_at when the last of them left, or may have left. is_asked: whether the forecast '
  'is about it. promised_at, the domains and is_small: as place, where the workspace has caps. is_capped: a cap lets it leave later. In the end it has leaves_at, or the reason why it doesn''t leave.';

create type invite.forecast as (
  looked_at integer,
  at_once integer,
  later integer,
  skipped integer,
  delayed integer,
  delayed_until timestamptz,
  seconds_at_least integer,
  unit text,
  time_zone text,
  bars jsonb,
  reasons jsonb
);
comment on type invite.forecast is
  'What will leave when. looked_at: how many pending emails there are, counted up to a limit. skipped: how many of them a rule ends. delayed: how '
  'many leave later than planned, and the last of them delayed_until. seconds_at_least: how long the relay''s rate makes those wait that may leave '
  'at once; null: it has none. bars: [{"at", "local", "emails"}], those that leave in each unit (hour or day) '
  'of a time zone. reasons: [{"reason", "emails"}], those that don''t leave.';

create type invite.sending as (
  is_alive boolean,
  is_rate_used boolean,
  late_send_hours integer,
  paused_until timestamptz,
  relay text,
  code text,
  rate numeric
);
comment on type invite.sending is
  'What workers can send. is_alive: one is running. is_rate_used: all that the relay''s rate allows now is taken. late_send_hours: what '
  'is overdue by more is skipped; null: no limit. paused_until: until when the relay takes nothing, and code why; null: it isn''t paused. '
  'rate: emails a second; null: no limit.';

create type invite.broken_invariant as enum (
  'queued_overdue', 'queued_put_off', 'waiting_sendable', 'sending_without_worker', 'event_unpublished', 'webhook_overdue'
);
comment on type invite.broken_invariant is
  'How something can be stuck, in the view broken_invariants. queued_overdue: due for a minute, and no worker has claimed it. queued_put_off: likewise, '
  'and nothing will look at it soon. waiting_sendable: its survey may send. sending_without_worker: no worker that is running holds it. '
  'event_unpublished: written and committed for a minute, and no reader sees it. webhook_overdue: the endpoint should have been called a minute ago, and '
  'no worker is at it.';

create type invite.history_event as enum (
  'accepted', 'invitation_due', 'invitation_sent', 'reminder_due', 'reminder_sent', 'response_recorded', 'failed', 'suppressed', 'cancelled',
  'erased', 'unsubscribed', 'relay_delivered', 'relay_soft_bounce', 'relay_hard_bounce', 'relay_complaint', 'relay_unsubscribe'
);
comment on type invite.history_event is
  'What happened to an invitation, for the view invitation_history. Those that begin with relay_ are the relay''s reports: relay_ and the relay_event_type.';

create type invite.cancel_result as (
  cancelled integer,
  reminders integer,
  already_sending integer,
  more boolean
);
comment on type invite.cancel_result is
  'cancelled: messages that will not be sent; reminders: how many of those are reminders of sent invitations. already_sending: with a worker or the '
  'relay, or unconfirmed: they may still arrive, and nothing follows them. more: the step was full, call again.';

create type invite.retry_result as (
  queued integer,
  left_alone integer,
  next_id bigint
);
comment on type invite.retry_result is
  'queued: failed messages that will be sent again. left_alone: failed ones that will not, because their recipient has responded or they were '
  'cancelled. next_id: the step was full, call again with after_id => next_id; null: that was all.';

create type invite.remind_result as (
  reminded integer,
  left_alone integer,
  next_id bigint
);
comment on type invite.remind_result is
  'reminded: invitations whose next reminder is due now. left_alone: the others of those looked at, see remindable. next_id: the step was full, call '
  'again with after_id => next_id; null: that was all.';

create type invite.erase_result as (
  erased integer,
  cancelled integer,
  still_sending integer,
  responses integer
);
comment on type invite.erase_result is
  'erased: invitations whose address is gone. cancelled: messages that were pending and will not be sent. still_sending: with a worker or '
  'the relay; nothing follows them, and they are not erased yet: call again. responses: of which the answers are gone too.';

------------------------------------------------------------------------------------------------------------------------------------
-- Delivery: workers and relays

create table invite.workers (
  id uuid not null,
  pool_id text,
  hostname text not null,
  pid integer not null,
  started_at timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  jobs_taken_at timestamptz not null default clock_timestamp(),
  rate numeric,
  late_send_hours integer,
  relay text collate "C",
  constraint workers_pkey primary key (id)
);
comment on table invite.workers is 'One row for each running worker. When heartbeat_at or jobs_taken_at stops, it is lost, and the others recover what it held.';
comment on column invite.workers.id is 'Chosen by the process when it starts.';
comment on column invite.workers.pool_id is 'graphile-worker''s name for the process, as in jobs.locked_by.';
comment on column invite.workers.hostname is 'The machine that the process runs on, for people.';
comment on column invite.workers.pid is 'The process id on that machine, for people.';
comment on column invite.workers.started_at is 'When the worker registered.';
comment on column invite.workers.heartbeat_at is 'When the worker was last heard.';
comment on column invite.workers.jobs_taken_at is 'When the worker last took a job, or was told that there is none.';
comment on column invite.workers.rate is 'RELAY_RATE: messages a second to its relay, by all workers together. Null: no limit.';
comment on column invite.workers.late_send_hours is 'LATE_SEND_HOURS: what is overdue by more is skipped. Null: no limit.';
comment on column invite.workers.relay is 'The relay that it sends to, as in the setting RELAY. Null: an outbox, which has no condition.';

create type invite.delivery_outcome as enum (
  'accepted', 'retry', 'unknown', 'unconfirmed', 'config', 'released', 'suppressed', 'rejected'
);
comment on type invite.delivery_outcome is 'What became of one attempt at a message; settle_invitations says what follows from each.';

create type invite.settlement as (
  id bigint,
  number smallint,
  attempts smallint,
  message_kind invite.message_kind,
  outcome invite.delivery_outcome,
  not_before timestamptz,
  cancelled_at timestamptz,
  code text,
  detail text,
  relay_message_id text,
  retry_after_seconds integer
);
comment on type invite.settlement is 'A message that a settle has locked, with the result of its attempt.';

create type invite.claimed_invitation as (
  id bigint,
  claim_id uuid,
  message_kind invite.message_kind,
  message_number smallint,
  attempts smallint,
  email text collate "C",
  name text,
  link_token text,
  batch_id uuid,
  subject text,
  message text,
  survey_id text,
  survey_title text,
  page_translation jsonb,
  survey_public_url text,
  workspace_name text,
  reminder_subject text,
  reminder_message text,
  sender jsonb,
  language text,
  request_language text,
  survey_language text,
  subject_language text,
  message_language text,
  translation jsonb,
  unconfirmed_since timestamptz,
  question jsonb,
  wording text
);
comment on type invite.claimed_invitation is
  'What a worker needs to render and send one claimed message. page_translation: as the function of that name. question: as email_question; null: its email asks none. reminder_subject, reminder_message: null unless it is a reminder with its own. '
  'sender: the workspace''s with the batch''s over it; null: neither has one. language: the recipient''s; request_language: the batch''s. translation: as nearest_translation. '
  'wording: the workspace''s.';

create type invite.queue_state as (
  due bigint,
  overdue_seconds double precision,
  waiting bigint,
  sending bigint,
  workers bigint
);
comment on type invite.queue_state is
  'The queue at one moment. due: messages that should have left by now. overdue_seconds: for how long the oldest of them; 0 if there is none. '
  'workers: those with a recent heartbeat.';

create type invite.relay_condition as enum ('healthy', 'busy', 'fault');
comment on type invite.relay_condition is
  'busy: it asked for a pause (Retry-After). fault: its key, the sender or the quota is wrong, or it rejects what three workspaces send; single messages probe it.';

create table invite.relays (
  id text collate "C" not null,
  condition invite.relay_condition not null default 'healthy',
  since timestamptz not null default clock_timestamp(),
  paused_until timestamptz,
  probing boolean not null default false,
  code text,
  detail text,
  faults integer not null default 0,
  rejected_in_a_row integer not null default 0,
  rejected_workspaces text[] not null default '{}',
  allowance numeric not null default 0,
  allowance_at timestamptz not null default clock_timestamp(),
  constraint relays_pkey primary key (id)
) with (fillfactor = 50);
comment on table invite.relays is 'The condition of each relay, shared by all workers. A relay without a row is healthy.';
comment on column invite.relays.id is 'The relay''s name, as in the setting RELAY.';
comment on column invite.relays.condition is 'Whether the relay takes messages: see the type.';
comment on column invite.relays.since is 'Since when the relay is in its condition.';
comment on column invite.relays.paused_until is 'Nothing is sent before; in a fault, one probe is sent then.';
comment on column invite.relays.probing is 'Whether a probe has been sent after the last pause for a fault.';
comment on column invite.relays.code is 'Code of the reply that led to the condition.';
comment on column invite.relays.detail is 'Text of that reply, for people.';
comment on column invite.relays.faults is 'Faults since the relay last took a message: the pause doubles with each.';
comment on column invite.relays.rejected_in_a_row is
  'Messages rejected for what they are, not for their recipient, since the last one that was taken. Counted while that tells anything new.';
comment on column invite.relays.rejected_workspaces is
  'The last three workspaces with such messages, newest last. Three make a fault of the relay; fewer are a fault of what they send.';
comment on column invite.relays.allowance is 'Messages that RELAY_RATE allows at allowance_at: a token bucket that holds one second''s worth.';
comment on column invite.relays.allowance_at is 'When the allowance was last computed.';

create type invite.due_message as (
  id bigint,
  number smallint,
  reason invite.unsent_reason,
  until timestamptz,
  is_unconfirmed boolean,
  batch_id uuid,
  secret uuid,
  email text collate "C",
  name text,
  language text collate "C",
  deadline invite.deadline,
  has_place boolean
);
comment on type invite.due_message is 'A message that a claim has locked, with the verdict about it. until: when it is looked at again, if a '
  'rule says so. is_unconfirmed: it may have left. has_place: it had been promised a place under caps for now. Null: none counts it.';

create type invite.admission as (
  allowed integer,
  probe_id bigint
);
comment on type invite.admission is
  'How many messages may be sent now. probe_id: the only invitation that may be sent, as the probe after a fault.';

create type invite.relay_event_type as enum ('hard_bounce', 'soft_bounce', 'complaint', 'delivered', 'unsubscribe');
comment on type invite.relay_event_type is
  'What a relay reports about a message. hard_bounce, complaint and unsubscribe suppress the address; the others are only recorded.';

create table invite.relay_events (
  relay text collate "C" not null,
  event_id text collate "C" not null,
  type invite.relay_event_type,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  invitation_id bigint,
  given_invitation_id bigint,
  relay_message_id text,
  email text collate "C",
  detail text,
  constraint relay_events_pkey primary key (relay, event_id),
  constraint relay_events_invitation_fkey foreign key (invitation_id) references invite.invitations (id) on delete cascade,
  constraint relay_events_unused check (type is not null or num_nonnulls(invitation_id, given_invitation_id, relay_message_id, email) = 0),
  constraint relay_events_event_id_length check (length(event_id) between 1 and 255),
  constraint relay_events_detail_length check (length(detail) <= 500)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.relay_events is
  'What a relay has reported about a message: one row an event, however often it is reported. One that fits no invitation is dropped after a day.';
comment on column invite.relay_events.relay is 'The relay that reported it.';
comment on column invite.relay_events.event_id is 'The relay''s id of the event, or a digest of what identifies it: a repeat has the same.';
comment on column invite.relay_events.type is
  'What happened. Null: another type; its id is kept, because a signature may cover no more and must work only once.';
comment on column invite.relay_events.occurred_at is 'When it happened, by the relay''s clock.';
comment on column invite.relay_events.recorded_at is 'When it was reported here.';
comment on column invite.relay_events.invitation_id is 'The invitation it is about. Null: none was found yet.';
comment on column invite.relay_events.given_invitation_id is
  'The invitation''s id in the relay''s metadata; maybe another installation''s: see find_event_invitation.';
comment on column invite.relay_events.relay_message_id is 'The relay''s id of the message.';
comment on column invite.relay_events.email is 'The address as the relay reports it. Null once it is erased.';
comment on column invite.relay_events.detail is 'The relay''s words, without web addresses: they could hold a tracked link.';

create index relay_events_invitation_idx on invite.relay_events (invitation_id) where invitation_id is not null;
comment on index invite.relay_events_invitation_idx is 'What was reported about an invitation.';
create index relay_events_unmatched_idx on invite.relay_events (recorded_at) where invitation_id is null;
comment on index invite.relay_events_unmatched_idx is 'Events that came before their message was settled, for match_relay_events.';
create index relay_events_matched_idx on invite.relay_events (recorded_at) where invitation_id is not null;
comment on index invite.relay_events_matched_idx is 'What prune_retained takes, and what was reported since a time.';

create type invite.invitation_outcome as enum ('soft_bounced', 'delivered', 'unsubscribed', 'bounced', 'responded', 'complained');
comment on type invite.invitation_outcome is
  'What came back about an invitation''s emails, from what says least to what says most: pages show the last one that an invitation has.';

create table invite.invitation_outcomes (
  invitation_id bigint not null,
  outcome invite.invitation_outcome not null,
  survey_id text collate "C" not null,
  at timestamptz not null,
  constraint invitation_outcomes_pkey primary key (invitation_id, outcome),
  constraint invitation_outcomes_invitation_fkey foreign key (invitation_id) references invite.invitations (id) on delete cascade
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.invitation_outcomes is
  'What came back about an invitation: by the relay''s events, its unsubscribe link, or a response. One row a kind, its first time. Apart from '
  'invitations, where each change of a row writes six indexes. It has no addresses, and stays when relay_events go.';
comment on column invite.invitation_outcomes.invitation_id is 'The invitation.';
comment on column invite.invitation_outcomes.outcome is 'What came back.';
comment on column invite.invitation_outcomes.survey_id is 'The invitation''s survey, copied for its lists and numbers.';
comment on column invite.invitation_outcomes.at is 'When it happened; a relay''s events by its clock.';

create index invitation_outcomes_survey_idx on invite.invitation_outcomes (survey_id, outcome, invitation_id);
comment on index invite.invitation_outcomes_survey_idx is 'The invitations of a survey by outcome, newest first, and their numbers.';
create index invitation_outcomes_guard_idx on invite.invitation_outcomes (survey_id, at) where outcome in ('bounced', 'complained');
comment on index invite.invitation_outcomes_guard_idx is 'What the guard counts of a survey: its latest bounces and complaints.';

------------------------------------------------------------------------------------------------------------------------------------
-- Caps: how many emails may leave in an hour and in a day

create type invite.cap_scope as enum ('workspace', 'sender', 'recipient', 'shared');
comment on type invite.cap_scope is
  'Which emails a cap counts: all of a workspace; those that it sends from a domain; those to a domain; those of all workspaces to a domain (shared).';

create table invite.caps (
  workspace_id text collate "C" not null,
  scope invite.cap_scope not null,
  domain text collate "C" not null default '',
  per_hour integer,
  per_day integer,
  own_per_hour integer,
  own_per_day integer,
  earned_per_day integer,
  earned_days smallint not null default 0,
  earned_until date,
  constraint caps_pkey primary key (workspace_id, scope, domain),
  constraint caps_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint caps_scope_own check (scope <> 'shared'),
  constraint caps_domain_form check (case when scope = 'workspace' then domain = '' else invite.is_domain(domain) end),
  constraint caps_per_hour_range check (per_hour between 1 and 10000000),
  constraint caps_per_day_range check (per_day between 1 and 10000000),
  constraint caps_own_per_hour_range check (own_per_hour between 1 and 10000000),
  constraint caps_own_per_day_range check (own_per_day between 1 and 10000000),
  constraint caps_earned_sender check (earned_per_day is null or scope = 'sender'),
  constraint caps_earned_until check ((earned_per_day is null) = (earned_until is null)),
  constraint caps_some check (num_nonnulls(per_hour, per_day, own_per_hour, own_per_day, earned_per_day) > 0)
);
comment on table invite.caps is
  'How many emails of a workspace may leave in a clock hour and in a day of UTC. The lower of the operator''s number and the owners'' own holds. '
  'Claims lock the row while they give places.';
comment on column invite.caps.workspace_id is 'The workspace.';
comment on column invite.caps.scope is 'Which of its emails are counted. Those of all workspaces have shared_caps.';
comment on column invite.caps.domain is 'The domain that it sends from, or to, in lower case. Empty: all of its email.';
comment on column invite.caps.per_hour is 'Set by the operator. Null: no limit.';
comment on column invite.caps.per_day is 'Set by the operator. Null: no limit.';
comment on column invite.caps.own_per_hour is 'Set by the owners of the workspace. Null: no limit.';
comment on column invite.caps.own_per_day is 'Set by the owners of the workspace. Null: no limit.';
comment on column invite.caps.earned_per_day is
  'What the domain has earned: 100 at first, tripled after two days that used half of it without a warning of the guard (earn_caps). Null: nothing is to be earned.';
comment on column invite.caps.earned_days is 'How many such days there were since it was last tripled.';
comment on column invite.caps.earned_until is 'The first day of UTC that earn_caps has not judged yet.';

create table invite.shared_caps (
  domain text collate "C" not null,
  per_hour integer,
  per_day integer,
  constraint shared_caps_pkey primary key (domain),
  constraint shared_caps_domain_form check (invite.is_domain(domain)),
  constraint shared_caps_per_hour_range check (per_hour between 1 and 10000000),
  constraint shared_caps_per_day_range check (per_day between 1 and 10000000),
  constraint shared_caps_some check (num_nonnulls(per_hour, per_day) > 0)
);
comment on table invite.shared_caps is
  'How many emails of all workspaces together may leave to a domain in a clock hour and in a day of UTC. In each hour, workspaces have equal shares of it, '
  'and what one leaves is free for the others.';
comment on column invite.shared_caps.domain is 'The recipients'' domain, in lower case.';
comment on column invite.shared_caps.per_hour is 'Null: no limit.';
comment on column invite.shared_caps.per_day is 'Null: no limit.';

create table invite.cap_slots (
  workspace_id text collate "C" not null,
  scope invite.cap_scope not null,
  domain text collate "C" not null,
  slot timestamptz not null,
  large integer not null default 0,
  small integer not null default 0,
  lost integer not null default 0,
  used integer not null default 0,
  constraint cap_slots_pkey primary key (workspace_id, scope, domain, slot),
  constraint cap_slots_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade
);
comment on table invite.cap_slots is
  'The places that were given under a cap, by clock hour: only emails that a cap counts write here. used decides what leaves; the others are the plan, '
  'and may be wrong for a while without harm. Kept for 40 days.';
comment on column invite.cap_slots.workspace_id is 'Whose emails.';
comment on column invite.cap_slots.scope is 'The cap''s.';
comment on column invite.cap_slots.domain is 'The cap''s.';
comment on column invite.cap_slots.slot is 'When the hour begins.';
comment on column invite.cap_slots.large is 'Places given to emails of batches of more than ten recipients, used or not.';
comment on column invite.cap_slots.small is 'Places given to the others. A tenth of the cap is kept for them.';
comment on column invite.cap_slots.lost is
  'Places of large batches that nobody got, because their minute was over: what is left of an hour gets only its part.';
comment on column invite.cap_slots.used is 'Attempts to send.';

create index cap_slots_shared_idx on invite.cap_slots (domain, slot) where scope = 'shared';
comment on index invite.cap_slots_shared_idx is 'What the workspaces have of a shared cap.';
create index cap_slots_slot_idx on invite.cap_slots (slot);
comment on index invite.cap_slots_slot_idx is 'What is old.';

create table invite.cap_releases (
  id bigint generated always as identity,
  workspace_id text collate "C" not null,
  not_before timestamptz not null,
  sender_domain text collate "C",
  recipient_domain text collate "C" not null,
  is_small boolean not null,
  constraint cap_releases_pkey primary key (id),
  constraint cap_releases_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade
);
comment on table invite.cap_releases is
  'Promised places that a message won''t use: a trigger notes them without a lock, and the next claim takes them off cap_slots.';
comment on column invite.cap_releases.id is 'In the order of writing.';
comment on column invite.cap_releases.workspace_id is 'Whose message.';
comment on column invite.cap_releases.not_before is 'The time that the message was promised.';
comment on column invite.cap_releases.sender_domain is 'The domain that it would have been sent from. Null: that of the installation.';
comment on column invite.cap_releases.recipient_domain is 'The domain of its recipient.';
comment on column invite.cap_releases.is_small is 'Whether it counted as of a small batch.';

create index cap_releases_workspace_idx on invite.cap_releases (workspace_id, id);
comment on index invite.cap_releases_workspace_idx is 'What a claim takes.';

create type invite.place as (
  invitation_id bigint,
  number smallint,
  look_at timestamptz,
  leave_by timestamptz,
  promised_at timestamptz,
  until timestamptz,
  sender_domain text collate "C",
  recipient_domain text collate "C",
  zone text,
  is_small boolean,
  is_forced boolean
);
comment on type invite.place is
  'A message that looks for a place under caps at look_at. leave_by: its deadline. promised_at: the time that it was promised, if it was. zone: the time zone of its hours; '
  'null: it has none. is_small: of a batch of at most ten recipients, or tried before. is_forced: it leaves in any case, and is counted. plan_places adds '
  'until: when it may leave; infinity: not within a year.';

------------------------------------------------------------------------------------------------------------------------------------
-- The guard: how much of a workspace's email may bounce or be reported as spam

create table invite.guard_limits (
  outcome invite.invitation_outcome not null,
  hours smallint not null,
  warn_share numeric not null,
  pause_share numeric not null,
  min_sent integer not null,
  min_reports integer not null,
  constraint guard_limits_pkey primary key (outcome, hours),
  constraint guard_limits_outcome check (outcome in ('bounced', 'complained')),
  constraint guard_limits_hours_range check (hours between 1 and 168),
  constraint guard_limits_shares check (0 < warn_share and warn_share <= pause_share and pause_share <= 1),
  constraint guard_limits_minimums check (min_sent > 0 and min_reports > 0)
);
comment on table invite.guard_limits is
  'When the guard warns of a workspace, and when it pauses its email. They hold for each workspace of the installation. No row: the guard is off.';
comment on column invite.guard_limits.outcome is 'What is counted: bounced or complained.';
comment on column invite.guard_limits.hours is 'Of the emails sent in so many last hours.';
comment on column invite.guard_limits.warn_share is 'From this share of them on, the owners and the operator are warned.';
comment on column invite.guard_limits.pause_share is 'From this share of them on, the workspace''s email is held.';
comment on column invite.guard_limits.min_sent is 'Of fewer emails, a share says nothing.';
comment on column invite.guard_limits.min_reports is 'Fewer reports are an accident.';

-- PostHog's, which its documentation of workflows publishes.
insert into invite.guard_limits (outcome, hours, warn_share, pause_share, min_sent, min_reports)
values
  ('complained', 1, 0.005, 0.01, 200, 5), ('complained', 24, 0.0015, 0.003, 1000, 10),
  ('bounced', 1, 0.05, 0.1, 200, 20), ('bounced', 24, 0.025, 0.05, 1000, 50);

create type invite.guard_figure as (
  outcome invite.invitation_outcome,
  hours smallint,
  sent bigint,
  reports bigint,
  verdict text
);
comment on type invite.guard_figure is
  'A limit of the guard, as a workspace stands to it. sent: emails within these hours; reports: how many of them have bounced or were reported as spam. '
  'verdict: few (too few to judge), good, warn or pause.';

------------------------------------------------------------------------------------------------------------------------------------
-- Recipients: responses and suppressions

create table invite.responses (
  id bigint generated always as identity,
  invitation_id bigint,
  submitted_at timestamptz not null,
  erased_at timestamptz,
  questions_version integer not null default 1,
  survey_id text collate "C" not null,
  trigger_token_id uuid,
  answers jsonb not null,
  metadata jsonb,
  language text collate "C",
  clicked_in_email text collate "C",
  constraint responses_pkey primary key (id),
  constraint responses_survey_fkey foreign key (survey_id) references invite.surveys (id),
  constraint responses_invitation_key unique (invitation_id),
  constraint responses_answers_object check (jsonb_typeof(answers) = 'object'),
  constraint responses_language_tag check (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' and length(language) <= 35)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.responses is 'A submitted response.';
comment on column invite.responses.id is 'In the order of submission.';
comment on column invite.responses.invitation_id is 'The invitation it came through, which has no other; null for a response without a link. No foreign key: the response may outlive it.';
comment on column invite.responses.submitted_at is 'When the response was recorded.';
comment on column invite.responses.erased_at is 'When its answers and metadata were erased for the person who gave them. Null: they weren''t.';
comment on column invite.responses.questions_version is 'Which questions were answered: see questions_as_asked.';
comment on column invite.responses.survey_id is 'The survey that was responded to.';
comment on column invite.responses.trigger_token_id is 'The token whose request invited the respondent; null for a response without a link. No foreign key, as for the invitation.';
comment on column invite.responses.answers is 'The answer to each question, by the question''s id.';
comment on column invite.responses.metadata is 'The metadata of batch and invitation at submission; the invitation''s keys win.';
comment on column invite.responses.language is 'The language (BCP 47) in which the questions were shown. Null: who recorded it didn''t say.';
comment on column invite.responses.clicked_in_email is
  'The id of the question whose answer began with a click in the email. Null: none. The recipient may have changed the answer before submitting it.';

-- PostgreSQL would take the number of different documents for the number of groups of a value in them.
alter table invite.responses alter column answers set statistics 0, alter column metadata set statistics 0;
create index responses_survey_idx on invite.responses (survey_id, submitted_at desc, id desc);
comment on index invite.responses_survey_idx is 'The newest responses of a survey, and those of a period.';

create table invite.recipient_choices (
  workspace_id text collate "C" not null,
  email text collate "C" not null,
  survey_id text collate "C" not null default '',
  chosen_at timestamptz not null default clock_timestamp(),
  constraint recipient_choices_pkey primary key (workspace_id, email, survey_id),
  constraint recipient_choices_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade
);
comment on table invite.recipient_choices is
  'What recipients chose on the unsubscribe page instead of unsubscribing. Erasing the address deletes its rows.';
comment on column invite.recipient_choices.workspace_id is 'The workspace that invited them.';
comment on column invite.recipient_choices.email is 'The recipient''s address, in lower case.';
comment on column invite.recipient_choices.survey_id is 'No email about this survey. Empty: at most one invitation in 30 days.';
comment on column invite.recipient_choices.chosen_at is 'When they chose it.';

create type invite.recipient_choice as enum ('once_a_month', 'not_this_survey');
comment on type invite.recipient_choice is 'What recipients can choose instead of unsubscribing.';

-- Indexes hold the results of these three functions too.
create function invite.term(owner_id text, text text) returns bigint
language sql immutable parallel safe
as $$
  select ('x' || left(encode(sha256(convert_to(owner_id || ' ' || text, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;
comment on function invite.term(text, text) is
  'A text of a workspace or survey as a number to search for. A digest, because with a simple hash somebody could choose texts that have the number '
  'of another workspace''s, and fill its searches. By accident two may share one: a search checks the row as well.';

create function invite.metadata_term(survey_id text, metadata_key text, metadata_value text default null) returns bigint
language sql immutable parallel safe
as $$
  select invite.term(survey_id, metadata_key || coalesce('=' || metadata_value, ''))
$$;
comment on function invite.metadata_term(text, text, text) is 'The term of a metadata key of a survey, or of a key with a value.';

/*
 * A letter with an accent is the letter, in each script that has them (NFKD separates them). What has no such form in Unicode, such as ø, gets one
 * here. Capitals don't depend on the database's locale: in C only ASCII has them, and in a Turkish one I is another letter than i.
 */
create function invite.folded(text text) returns text
language sql immutable parallel safe
as $$
  select case
    when octet_length(folded.text) = length(folded.text) then lower(folded.text collate "C") collate "C"
    else replace(replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(folded.text, NFKD), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]', '', 'g') collate "C"),
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς'
        || 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ'
        || 'ЂЄЅІЈЉЊЋЏҐҒҚҢҮҰҺӘӨ'
        || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ'
        || 'ØøŁłĐđÐðıĦħŊŋŦŧÆŒẞÞ',
        'αβγδεζηθικλμνξοπρστυφχψωσ'
        || 'абвгдежзийклмнопрстуфхцчшщъыьэюя'
        || 'ђєѕіјљњћџґғқңүұһәө'
        || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'
        || 'oollddddihhnnttæœßþ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') collate "C"
  end
$$;
comment on function invite.folded(text) is 'A text as searches compare it: without capitals and accents.';

-- The workspace is in the upper half, so all keys of one are beside each other in an index. By accident two texts may share a key: a search
-- checks the row as well.
create function invite.search_key(scope text, part text) returns bigint
language sql immutable parallel safe
as $$
  select (hashtext(search_key.scope)::bigint << 32) | (hashtext(search_key.part)::bigint & 4294967295)
$$;
comment on function invite.search_key(text, text) is 'Part of a text of a workspace as a number to search for.';

create function invite.search_keys(scope text, parts text[]) returns bigint[]
language sql immutable parallel safe
as $$
  select array(select invite.search_key(search_keys.scope, p.part) from unnest(search_keys.parts) as p (part))
$$;
comment on function invite.search_keys(text, text[]) is 'Parts of a text of a workspace as numbers to search for.';

-- Chinese, Japanese and Thai names and words have few characters, and no spaces.
create function invite.has_no_spaces(word text) returns boolean
language sql immutable parallel safe
as $$
  select has_no_spaces.word ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]'
$$;
comment on function invite.has_no_spaces(text) is 'Whether a word is of a script without spaces between words: it is then searched by two characters.';

create function invite.person_line(email text, name text) returns text
language sql immutable parallel safe
as $$
  select invite.folded(person_line.email) || coalesce(' ' || person_line.name, '')
$$;
comment on function invite.person_line(text, text) is 'What a search for a person reads. name: folded.';

-- Each word's three characters from its space on: " ad", "ada" of ada. High cost, so that the planner takes the index. Without queries, because an index
-- calls it for each row, and PostgreSQL would plan them each time: ten times as slow.
create function invite.person_keys(workspace_id text, email text, name text) returns bigint[]
language plpgsql immutable parallel safe cost 1000
as $$
declare
  v_word text;
  v_keys bigint[] := '{}';
begin
  foreach v_word in array string_to_array(invite.person_line(person_keys.email, person_keys.name), ' ') loop
    for v_at in 1..greatest(length(v_word) - 1, 1) loop
      v_keys := v_keys || invite.search_key(person_keys.workspace_id, substr(' ' || v_word, v_at, 3));
    end loop;
    if invite.has_no_spaces(v_word) then
      for v_at in 1..length(v_word) - 1 loop
        v_keys := v_keys || invite.search_key(person_keys.workspace_id, substr(v_word, v_at, 2));
      end loop;
    end if;
  end loop;
  return v_keys;
end
$$;
comment on function invite.person_keys(text, text, text) is 'The search keys of a person, as search_keys makes them.';

-- Four weeks at a time: so the newest comments are found without reading all that have a common word.
create function invite.comment_scope(workspace_id text, submitted_at timestamptz) returns text
language sql immutable parallel safe
as $$
  select comment_scope.workspace_id || ' ' || floor(extract(epoch from comment_scope.submitted_at) / 2419200)
$$;
comment on function invite.comment_scope(text, timestamptz) is 'The workspace and the four weeks in which a comment is searched.';

-- The first three and the first five characters: enough to find a word by its beginning, and less than all of it.
create function invite.comment_keys(workspace_id text, submitted_at timestamptz, words text) returns bigint[]
language plpgsql immutable parallel safe cost 1000
as $$
declare
  v_scope constant text := invite.comment_scope(comment_keys.workspace_id, comment_keys.submitted_at);
  v_word text;
  v_keys bigint[] := '{}';
begin
  foreach v_word in array string_to_array(comment_keys.words, ' ') loop
    if length(v_word) >= 3 then
      v_keys := v_keys || invite.search_key(v_scope, left(v_word, 3));
    end if;
    if length(v_word) >= 5 then
      v_keys := v_keys || invite.search_key(v_scope, left(v_word, 5));
    end if;
    if invite.has_no_spaces(v_word) then
      for v_at in 1..length(v_word) - 1 loop
        v_keys := v_keys || invite.search_key(v_scope, substr(v_word, v_at, 2));
      end loop;
    end if;
  end loop;
  return v_keys;
end
$$;
comment on function invite.comment_keys(text, timestamptz, text) is 'The search keys of a comment.';

-- High cost, so that the planner takes the index.
create function invite.metadata_terms(survey_id text, metadata jsonb) returns bigint[]
language sql immutable parallel safe cost 1000
as $$
  select array_agg(t.term)
  from jsonb_each_text(metadata) as m
  cross join lateral (
    values (invite.metadata_term(survey_id, m.key)), (invite.metadata_term(survey_id, m.key, m.value))
  ) as t (term)
$$;
comment on function invite.metadata_terms(text, jsonb) is
  'What a response can be found by in responses_metadata_idx: each key of its metadata, and each key with its value.';

create index responses_metadata_idx on invite.responses using gin (invite.metadata_terms(survey_id, metadata))
  where metadata is not null;
comment on index invite.responses_metadata_idx is
  'The responses of a survey by metadata_terms. Hashes, so that neither long values nor many different ones make it large.';

create table invite.result_counts (
  survey_id text collate "C" not null,
  whole_day boolean not null,
  starts_at timestamptz not null,
  question text collate "C" not null,
  value text collate "C" not null,
  number bigint not null,
  constraint result_counts_pkey primary key (survey_id, whole_day, starts_at, question, value)
);
comment on table invite.result_counts is
  'How often each answer was given, and how many invitations were sent, by quarter hour and by day: the numbers of Results. Together with result_changes it is exact at any moment. '
  'Quarter hours, because in every time zone a day begins with one. A row for all days together begins at -infinity.';
comment on column invite.result_counts.survey_id is 'The survey.';
comment on column invite.result_counts.whole_day is 'Whether it is about a day (UTC) or all days, or a quarter hour.';
comment on column invite.result_counts.starts_at is 'When the day or quarter hour begins; -infinity: all days.';
comment on column invite.result_counts.question is 'The question''s id; empty: the response or invitation itself.';
comment on column invite.result_counts.value is
  'The number or choice (counted_answers); a space: an answer of several choices as a whole; empty: any other answer, or a text. Of the response itself: invitation or direct. Of an invitation, by the time it was '
  'sent: sent; responded, once it has a response; bounced, if it bounced and has none. Of a reminder, by its own time: reminded.';
comment on column invite.result_counts.number is 'How many responses or invitations of that time have it.';

create table invite.result_changes (
  id bigint generated always as identity,
  survey_id text collate "C" not null,
  starts_at timestamptz not null,
  question text collate "C" not null,
  value text collate "C" not null,
  number bigint not null,
  constraint result_changes_pkey primary key (id)
);
comment on table invite.result_changes is
  'What isn''t in result_counts yet: written with what it counts, so that responses don''t wait for each other, and added up every minute.';
comment on column invite.result_changes.id is 'In the order of the changes.';
comment on column invite.result_changes.survey_id is 'The survey.';
comment on column invite.result_changes.starts_at is 'The quarter hour that it counts in.';
comment on column invite.result_changes.question is 'As in result_counts.';
comment on column invite.result_changes.value is 'As in result_counts.';
comment on column invite.result_changes.number is 'How many more; below 0: fewer.';

create index result_changes_survey_idx on invite.result_changes (survey_id, id);
comment on index invite.result_changes_survey_idx is
  'What one survey''s numbers still lack. Else a page would read what other workspaces have changed, and what is deleted and not vacuumed yet.';

create type invite.survey_page as (
  survey_id text,
  workspace_name text,
  title text,
  state invite.survey_state,
  questions jsonb,
  public_url text,
  link text,
  questions_version integer,
  thanks text,
  language text,
  request_language text,
  survey_language text,
  translated boolean,
  translation jsonb,
  accent_color text,
  is_full boolean,
  workspace_id text,
  invitation_id bigint,
  languages text[],
  wording text,
  button_label text,
  button_url text,
  logo_url text,
  logo_alt text
);
comment on type invite.survey_page is
  'What the survey page shows. state is closed for a disabled survey or suspended workspace. public_url: the product''s own page. '
  'link: none, required (there is none, and the survey takes no responses without), open, expired, responded or unknown. language: the chosen one or '
  'the recipient''s; request_language: the batch''s. translation: as nearest_translation. accent_color, logo_url, logo_alt: the workspace''s. is_full: it is closed, and has as many responses as its limit. '
  'invitation_id: the link''s, for the log. languages: that it can be shown in, the survey''s first. wording: the workspace''s.';

create type invite.response_result as (
  outcome text,
  response_id bigint
);
comment on type invite.response_result is
  'outcome: recorded; already_responded (response_id is the earlier response); unknown_invitation; link_expired; survey_closed, from record_response only '
  'by its date or response limit; and from submit_response survey_not_open, link_required, unknown_survey.';

create type invite.estimate as (
  value double precision,
  low double precision,
  high double precision,
  responses bigint
);
comment on type invite.estimate is 'A statistic of this many responses, with the ends of its 95 % interval.';

create type invite.suppression_reason as enum ('unsubscribe', 'hard_bounce', 'complaint', 'manual');
comment on type invite.suppression_reason is 'Why a workspace must not email an address.';

create table invite.suppressions (
  workspace_id text collate "C" not null,
  email text collate "C" not null,
  reason invite.suppression_reason not null,
  created_at timestamptz not null default clock_timestamp(),
  added_by text,
  constraint suppressions_pkey primary key (workspace_id, email),
  constraint suppressions_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint suppressions_email_folded check (email = lower(email))
);
comment on table invite.suppressions is 'Addresses that a workspace must not email. Looked up when a message is about to be sent.';
comment on column invite.suppressions.workspace_id is 'The workspace that must not email the address; others may.';
comment on column invite.suppressions.email is 'The address, in lower case.';
comment on column invite.suppressions.reason is 'Why. The recipient can take back unsubscribe, and nothing else.';
comment on column invite.suppressions.created_at is 'When the address was suppressed.';
comment on column invite.suppressions.added_by is 'Email of the member who added it. Null: the recipient, the relay, the command line or the product did.';

create index suppressions_workspace_idx on invite.suppressions (workspace_id, created_at);
comment on index invite.suppressions_workspace_idx is 'The newest suppressions of a workspace.';

create table invite.search_terms (
  term bigint not null,
  invitation_id bigint not null,
  constraint search_terms_pkey primary key (term, invitation_id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.search_terms is
  'The values of the metadata that find an invitation. Filled by index_recipients a minute later, and only inserted into: an index of invitations would '
  'be written three times a message.';
comment on column invite.search_terms.term is 'The term of a value in the workspace (terms_of).';
comment on column invite.search_terms.invitation_id is 'The invitation that has it.';

create type invite.search_group as enum ('person', 'invitation', 'response', 'survey');
comment on type invite.search_group is 'What a search finds. The pages of the console are found by the server.';

create table invite.persons (
  workspace_id text collate "C" not null,
  email text collate "C" not null,
  name text collate "C",
  constraint persons_pkey primary key (workspace_id, email)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.persons is
  'Whom a workspace has invited, each address once: what finds a person by any part of name or address. index_recipients writes a row when an address is '
  'new or its name changes. Deleted with the last of its addresses (renew_persons).';
comment on column invite.persons.workspace_id is 'The workspace.';
comment on column invite.persons.email is 'The address, in lower case.';
comment on column invite.persons.name is 'The latest name, folded, its words separated by a space. Null: none.';

-- Without statistics, because an analyze would compute the keys of 30,000 rows.
create index persons_keys_idx on invite.persons using gin (invite.person_keys(workspace_id, email, name)) with (gin_pending_list_limit = 1024);
alter index invite.persons_keys_idx alter column 1 set statistics 0;
comment on index invite.persons_keys_idx is 'Persons by parts of name and address; one workspace''s beside each other.';

create table invite.comments (
  workspace_id text collate "C" not null,
  submitted_at timestamptz not null,
  response_id bigint not null,
  words text collate "C" not null,
  constraint comments_pkey primary key (workspace_id, submitted_at, response_id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.comments is 'What finds a response by the words of its comments. Written, changed and deleted with the response, by triggers.';
comment on column invite.comments.workspace_id is 'The workspace of its survey.';
comment on column invite.comments.submitted_at is 'When it was submitted.';
comment on column invite.comments.response_id is 'The response. No foreign key: it would be looked up for each row.';
comment on column invite.comments.words is 'Its comments, folded, each word after a space (comment_words).';

create index comments_keys_idx on invite.comments using gin (invite.comment_keys(workspace_id, submitted_at, words)) with (gin_pending_list_limit = 1024);
alter index invite.comments_keys_idx alter column 1 set statistics 0;
comment on index invite.comments_keys_idx is 'Comments by the beginnings of their words.';

create table invite.search_progress (
  one_row boolean not null default true,
  indexed_to bigint not null default 0,
  constraint search_progress_pkey primary key (one_row),
  constraint search_progress_one_row check (one_row)
);
comment on table invite.search_progress is 'How far index_recipients has come. One row.';
comment on column invite.search_progress.one_row is 'Always true: there is one row.';
comment on column invite.search_progress.indexed_to is
  'The last invitation that is in search_terms and persons. Lower ones, from queue_progress.read_from on, may still be committed, and are then added.';

insert into invite.search_progress default values;

create type invite.unsubscribe_page as (
  workspace_name text,
  email text collate "C",
  unsubscribed boolean,
  can_resubscribe boolean,
  language text,
  request_language text,
  survey_language text,
  accent_color text,
  title text,
  title_language text,
  choices invite.recipient_choice[],
  workspace_id text,
  survey_id text,
  invitation_id bigint,
  wording text,
  logo_url text,
  logo_alt text
);
comment on type invite.unsubscribe_page is
  'What the unsubscribe page shows. can_resubscribe: false after a bounce or a complaint. title: the survey''s, and its language. choices: what '
  'the recipient has chosen instead. The ids are for the log. accent_color, wording, logo_url, logo_alt: the workspace''s.';

------------------------------------------------------------------------------------------------------------------------------------
-- For members: rejected requests, test invitations, the audit log

create table invite.rejections (
  trigger_token_id uuid not null,
  hour timestamptz not null,
  code text not null,
  rejected integer not null,
  last_at timestamptz not null,
  last_detail text,
  constraint rejections_pkey primary key (trigger_token_id, hour, code),
  constraint rejections_trigger_token_fkey foreign key (trigger_token_id) references invite.trigger_tokens (id) on delete cascade,
  constraint rejections_code_format check (code ~ '^[a-z_]{1,64}$'),
  constraint rejections_detail_length check (length(last_detail) <= 255)
);
comment on table invite.rejections is
  'Rejected requests of known tokens, deleted ones too, by token, hour and code. Written every few seconds, kept for a week. '
  'No value of a request: no address, no secret.';
comment on column invite.rejections.trigger_token_id is 'The token that the requests came with.';
comment on column invite.rejections.hour is 'Start of the hour, UTC.';
comment on column invite.rejections.code is 'The error code that the caller got.';
comment on column invite.rejections.rejected is 'How many requests were rejected with this code in that hour.';
comment on column invite.rejections.last_at is 'When the last of them was rejected.';
comment on column invite.rejections.last_detail is 'What was wrong with the last of them: field and rule, never its value. Null: the code says it all.';

create index rejections_hour_idx on invite.rejections (hour);
comment on index invite.rejections_hour_idx is 'What is to be pruned.';

create table invite.test_invitations (
  id uuid not null default gen_random_uuid(),
  survey_id text collate "C" not null,
  trigger_token_id uuid not null,
  message_kind invite.message_kind not null,
  language text collate "C",
  email text collate "C" not null,
  recipient text collate "C" not null,
  name text,
  requested_at timestamptz not null,
  outcome invite.delivery_outcome,
  outcome_code text,
  attempts integer not null default 0,
  tried_at timestamptz,
  constraint test_invitations_pkey primary key (id),
  constraint test_invitations_survey_fkey foreign key (survey_id) references invite.surveys (id) on delete cascade,
  constraint test_invitations_token_fkey foreign key (trigger_token_id) references invite.trigger_tokens (id) on delete cascade,
  constraint test_invitations_language_tag check (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' and length(language) <= 35),
  constraint test_invitations_name_length check (length(name) between 1 and 255 and name !~ '[\r\n]'),
  constraint test_invitations_name_marks check (name !~ invite.direction_marks()),
  constraint test_invitations_code_length check (length(outcome_code) <= 100),
  constraint test_invitations_tried check ((outcome is null) = (tried_at is null))
);
comment on table invite.test_invitations is
  'Test messages of members to themselves or another member. Not invitations: no count, cooldown, quota or response knows of them. Kept for a day.';
comment on column invite.test_invitations.id is 'What the job that sends the test carries.';
comment on column invite.test_invitations.survey_id is 'The survey that the test is about.';
comment on column invite.test_invitations.trigger_token_id is 'The token whose default texts the message has.';
comment on column invite.test_invitations.message_kind is 'Which of its messages: the invitation or the reminder.';
comment on column invite.test_invitations.language is 'The language (BCP 47) of the recipient that it is a test of. Null: the survey''s.';
comment on column invite.test_invitations.email is 'The member who asked for the test.';
comment on column invite.test_invitations.recipient is 'The member who gets it.';
comment on column invite.test_invitations.name is 'The name of the recipient that it is a test of. Null: one without a name.';
comment on column invite.test_invitations.requested_at is 'When it was asked for.';
comment on column invite.test_invitations.outcome is 'What became of the last attempt; null: there was none yet.';
comment on column invite.test_invitations.outcome_code is 'Why it failed: the relay''s code or ours, never its words, which may repeat an address.';
comment on column invite.test_invitations.attempts is 'How often it was tried.';
comment on column invite.test_invitations.tried_at is 'When it was last tried.';

create index test_invitations_survey_idx on invite.test_invitations (survey_id, requested_at);
comment on index invite.test_invitations_survey_idx is 'The tests of a survey, for the limit of its workspace.';
create index test_invitations_email_idx on invite.test_invitations (email, requested_at);
comment on index invite.test_invitations_email_idx is 'The tests that a member asked for.';

create type invite.test_message as (
  id uuid,
  message_kind invite.message_kind,
  email text collate "C",
  subject text,
  message text,
  survey_id text,
  survey_title text,
  page_translation jsonb,
  workspace_name text,
  reminder_subject text,
  reminder_message text,
  sender jsonb,
  survey_language text,
  language text,
  translation jsonb,
  name text,
  question jsonb,
  wording text
);
comment on type invite.test_message is
  'What a worker needs to render and send a test invitation. Nulls: nothing is to be sent. question: as in claimed_invitation. page_translation: as the function of that name. translation: as nearest_translation. wording: the workspace''s.';

create type invite.audit_action as enum (
  'member_added', 'member_changed', 'member_removed', 'token_created', 'token_changed', 'token_deleted', 'survey_state_changed',
  'batch_cancelled', 'batch_retried', 'invitation_cancelled', 'invitation_retried', 'signed_in', 'survey_disabled', 'survey_enabled',
  'workspace_suspended', 'workspace_resumed', 'plan_changed', 'sending_paused', 'sending_resumed', 'batch_rescheduled', 'survey_cancelled',
  'survey_retried', 'address_cancelled', 'address_erased', 'sign_in_link_created', 'deletion_started', 'survey_deleted', 'workspace_deleted', 'retention_changed',
  'address_blocked', 'address_unblocked', 'events_enabled', 'events_disabled', 'webhook_created', 'webhook_rotated', 'webhook_paused',
  'webhook_resumed', 'webhook_deleted', 'sender_changed', 'rules_changed', 'invitation_sent_anyway', 'reminded_now', 'test_workspace_created',
  'survey_created', 'survey_changed', 'workspace_renamed', 'signed_out', 'answers_exported', 'addresses_exported', 'audit_exported',
  'access_refused', 'token_secret_replaced', 'token_secret_ended', 'list_sent', 'list_cancelled', 'workspace_moved', 'notifications_changed',
  'guard_warned', 'guard_paused', 'guard_released', 'guard_limit_changed', 'guard_domain_warned', 'cap_changed', 'wording_changed'
);
comment on type invite.audit_action is 'What was done, in the audit log.';

create table invite.audit_log (
  id bigint generated always as identity,
  workspace_id text collate "C",
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action invite.audit_action not null,
  subject text,
  detail jsonb not null default '{}',
  database_user text not null default session_user,
  application text not null default current_setting('application_name'),
  constraint audit_log_pkey primary key (id),
  constraint audit_log_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint audit_log_detail_object check (jsonb_typeof(detail) = 'object')
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table invite.audit_log is 'Who signed in and out, who changed or exported what, and who was refused. Rows are only added. No secrets, and no address of a recipient.';
comment on column invite.audit_log.id is 'In the order of the changes.';
comment on column invite.audit_log.workspace_id is 'The workspace that was changed. Null: all of them, or one that is deleted.';
comment on column invite.audit_log.at is 'When it was changed.';
comment on column invite.audit_log.actor is 'Email of the member who did it, cli for the command line and a product''s own calls, or service for what happened by itself.';
comment on column invite.audit_log.action is 'What was done.';
comment on column invite.audit_log.subject is 'What it was done to: a member''s email, a token''s name, an id. Null: an address, which isn''t kept, or everything.';
comment on column invite.audit_log.detail is 'More about the action, such as the role, or the network address that signed in.';
comment on column invite.audit_log.database_user is 'The login role of PostgreSQL.';
comment on column invite.audit_log.application is 'The application_name of the connection.';

create index audit_log_workspace_idx on invite.audit_log (workspace_id, id desc);
comment on index invite.audit_log_workspace_idx is 'The newest entries of a workspace.';
create index audit_log_new_members_idx on invite.audit_log (workspace_id, at) where action = 'member_added';
comment on index invite.audit_log_new_members_idx is 'The members that a workspace has added in the last hour and day, for their limit.';
create index audit_log_new_member_idx on invite.audit_log (subject, at) where action = 'member_added';
comment on index invite.audit_log_new_member_idx is 'How often an address was added in the last day, for its limit.';

create index audit_log_pauses_idx on invite.audit_log (workspace_id, at, id) where action = 'sending_paused';
comment on index invite.audit_log_pauses_idx is 'Who paused sending.';
create index audit_log_access_idx on invite.audit_log (workspace_id, actor, at)
  where action in ('answers_exported', 'addresses_exported', 'audit_exported', 'access_refused');
comment on index invite.audit_log_access_idx is 'What a person read in bulk or was refused lately.';

------------------------------------------------------------------------------------------------------------------------------------
-- Events: what the customer's backend is told

create type invite.event_type as enum (
  'batch.accepted', 'invitation.sent', 'invitation.delivered', 'invitation.bounced', 'invitation.complained', 'invitation.suppressed',
  'invitation.failed', 'invitation.cancelled', 'invitation.skipped', 'invitation.deferred', 'invitation.reminded', 'invitation.unsubscribed', 'response.submitted', 'response.low_score',
  'survey.activated', 'survey.closed', 'survey.held', 'survey.released'
);
comment on type invite.event_type is 'What happened, for the customer''s backend.';

create table invite.new_events (
  id bigint generated always as identity,
  type invite.event_type not null,
  at timestamptz not null,
  survey_id text collate "C" not null,
  batch_id uuid,
  invitation_id bigint,
  response_id bigint,
  message_kind invite.message_kind,
  code text,
  written_at timestamptz not null default statement_timestamp(),
  constraint new_events_pkey primary key (id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table invite.new_events is
  'Events as the transaction that makes them happen writes them. publish_events moves them to events once they are committed: a number taken here may be '
  'committed after a higher one, and a reader that had passed it would skip it.';
comment on column invite.new_events.id is 'In the order of writing: for one invitation also in the order of what happened.';
comment on column invite.new_events.type is 'What happened.';
comment on column invite.new_events.at is 'When it happened; a relay''s reports by its clock.';
comment on column invite.new_events.survey_id is 'The survey.';
comment on column invite.new_events.batch_id is 'The batch, if there is one.';
comment on column invite.new_events.invitation_id is 'The invitation, if there is one.';
comment on column invite.new_events.response_id is 'The response, if there is one.';
comment on column invite.new_events.message_kind is 'Which message it is about.';
comment on column invite.new_events.code is 'Why a message failed, or what closed a survey.';
comment on column invite.new_events.written_at is 'When it was written here.';

create table invite.events (
  position bigint not null,
  published_at timestamptz not null,
  id uuid not null default gen_random_uuid(),
  workspace_id text collate "C" not null,
  type invite.event_type not null,
  at timestamptz not null,
  survey_id text collate "C" not null,
  batch_id uuid,
  invitation_id bigint,
  response_id bigint,
  message_kind invite.message_kind,
  code text,
  is_moved boolean not null default false,
  constraint events_pkey primary key (position, published_at)
) partition by range (published_at);
comment on table invite.events is
  'What happened, in the order in which it is read. Rows are only added; a week is a partition, which goes as a whole (retention). No address, name or '
  'answer is here: list_events reads them where they are, so that what is erased there is gone here.';
comment on column invite.events.position is 'Given after the commit, without gaps: a reader that has read up to here has missed nothing.';
comment on column invite.events.published_at is 'When the position was given.';
comment on column invite.events.id is 'The id that the customer sees: it stays the same however often the event is delivered.';
comment on column invite.events.workspace_id is 'The workspace.';
comment on column invite.events.type is 'What happened.';
comment on column invite.events.at is 'When it happened; a relay''s reports by its clock.';
comment on column invite.events.survey_id is 'The survey.';
comment on column invite.events.batch_id is 'The batch, if there is one.';
comment on column invite.events.invitation_id is 'The invitation, if there is one.';
comment on column invite.events.response_id is 'The response, if there is one.';
comment on column invite.events.message_kind is 'Which message it is about.';
comment on column invite.events.code is 'Why a message failed, or what closed a survey.';

comment on column invite.events.is_moved is
  'Whether its workspace has brought it from another database: then read_events has it there, and here it is read by workspace or survey alone. Such an event may '
  'have the position of another workspace''s.';

create index events_invitation_idx on invite.events (invitation_id) where invitation_id is not null;
comment on index invite.events_invitation_idx is 'The events of an invitation, for its erasure.';
create index events_workspace_idx on invite.events (workspace_id, position);
comment on index invite.events_workspace_idx is 'The events of a workspace.';
create index events_survey_idx on invite.events (survey_id, position);
comment on index invite.events_survey_idx is 'The events of a survey.';

create table invite.event_progress (
  one_row boolean not null default true,
  published_to bigint not null default 0,
  constraint event_progress_pkey primary key (one_row),
  constraint event_progress_one_row check (one_row)
) with (fillfactor = 50);
comment on table invite.event_progress is 'How far publish_events has come. One row.';
comment on column invite.event_progress.one_row is 'Always true: there is one row.';
comment on column invite.event_progress.published_to is 'The last position.';

insert into invite.event_progress default values;

create table invite.queue_progress (
  queue text collate "C" not null,
  read_from bigint not null default 0,
  open_to bigint,
  open_transactions text[],
  constraint queue_progress_pkey primary key (queue)
) with (fillfactor = 50);
comment on table invite.queue_progress is
  'From where tables are read in steps: new_events and result_changes, which are emptied, and invitations, which are made searchable.';
comment on column invite.queue_progress.queue is 'The table.';
comment on column invite.queue_progress.read_from is
  'The lowest id that can still appear. All rows below it were taken: those of the first two are there only because a held snapshot keeps them.';
comment on column invite.queue_progress.open_to is 'read_from becomes the next id after this one once open_transactions have ended. Null: not looked at yet.';
comment on column invite.queue_progress.open_transactions is 'The transactions that may still have uncommitted rows up to open_to.';

insert into invite.queue_progress (queue) values ('new_events'), ('result_changes');
insert into invite.queue_progress (queue, open_to, open_transactions) values ('invitations', 0, '{}');

create sequence invite.publisher_awake minvalue 0 maxvalue 1;
comment on sequence invite.publisher_awake is
  '1: a worker publishes events, and looks again after each transaction that reads this; 0: a writer has to wake one. A sequence, because its value is '
  'seen at once, whatever the snapshot, and leaves no row versions.';

create table invite.event_consumers (
  name text collate "C" not null,
  position bigint not null default 0,
  read_at timestamptz,
  constraint event_consumers_pkey primary key (name),
  constraint event_consumers_name_length check (length(name) between 1 and 64)
);
comment on table invite.event_consumers is 'The cursors of read_events.';
comment on column invite.event_consumers.name is 'The product''s name for what reads.';
comment on column invite.event_consumers.position is 'The last event that it has read, or passed over.';
comment on column invite.event_consumers.read_at is 'When it last read. Null: not yet.';

create type invite.event as (
  position bigint,
  id uuid,
  type invite.event_type,
  at timestamptz,
  workspace_id text,
  survey_id text,
  batch_id uuid,
  invitation_id bigint,
  response_id bigint,
  data jsonb
);
comment on type invite.event is 'An event as it is read. data: what is the same in all ways of reading; see list_events.';

create type invite.webhook_format as enum ('events', 'slack');
comment on type invite.webhook_format is 'events: Standard Webhooks. slack: {"text": …} for each low score, to an incoming webhook of Slack or what takes the same.';

create table invite.webhook_endpoints (
  id uuid not null default gen_random_uuid(),
  workspace_id text collate "C" not null,
  url text not null,
  types invite.event_type[],
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  paused_at timestamptz,
  disabled_at timestamptz,
  deleted_at timestamptz,
  failing_since timestamptz,
  warned_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  mean_seconds real not null default 0,
  format invite.webhook_format not null default 'events',
  survey_id text collate "C",
  below smallint,
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_survey_fkey foreign key (survey_id) references invite.surveys (id) on delete cascade,
  constraint webhook_endpoints_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  -- A host, a port up to 65535, a path.
  constraint webhook_endpoints_url_form check (
    url ~* (
      '^https?://(\[[0-9a-f:.]+\]|[^][:space:][:cntrl:]/?#@:<>\\^|%[]+)'
      '(:([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?'
      '([/?][^[:space:][:cntrl:]#]*)?$')
    and length(url) <= 2000),
  constraint webhook_endpoints_deleted check (deleted_at is null or disabled_at is not null),
  constraint webhook_endpoints_types_any check (cardinality(types) > 0),
  constraint webhook_endpoints_format_fields check (case format when 'slack' then num_nonnulls(types, previous_secret) = 0 else below is null end),
  constraint webhook_endpoints_below_range check (below between -99 and 101),
  constraint webhook_endpoints_secret_sealed check (secret ~ '^sealed\.[0-9a-f]{8}\.[A-Za-z0-9_-]{40,}$' and length(secret) <= 3000),
  constraint webhook_endpoints_previous_secret_sealed check (previous_secret ~ '^sealed\.[0-9a-f]{8}\.[A-Za-z0-9_-]{40,}$' and length(previous_secret) <= 1000)
);
comment on table invite.webhook_endpoints is 'Where a workspace''s backend gets its events, by Standard Webhooks.';
comment on column invite.webhook_endpoints.id is 'The endpoint.';
comment on column invite.webhook_endpoints.workspace_id is 'The workspace whose events it gets.';
comment on column invite.webhook_endpoints.url is 'The address. http only where the operator allows its network. Of slack: what may be shown of it, since the address is the secret.';
comment on column invite.webhook_endpoints.types is 'The events it gets. Null: all but invitation.deferred and response.low_score.';
comment on column invite.webhook_endpoints.secret is 'What signs its requests, so it can''t be a hash. Encrypted with a key that only the service has: sealed.<id of the key>.<ciphertext>. Of slack: the address.';
comment on column invite.webhook_endpoints.previous_secret is 'Signs too until previous_secret_until, so that the receiver can change over. Encrypted likewise.';
comment on column invite.webhook_endpoints.previous_secret_until is 'Until when.';
comment on column invite.webhook_endpoints.paused_at is 'When it was paused: events are kept for it. Null: not paused.';
comment on column invite.webhook_endpoints.disabled_at is 'When it responded 410, and gets nothing more until it is resumed, or was deleted. Null: neither.';
comment on column invite.webhook_endpoints.deleted_at is 'When it was deleted: its deliveries follow in steps, then it. Nobody sees it any more. Null: not deleted.';
comment on column invite.webhook_endpoints.failing_since is 'Since when no request to it has succeeded. Null: the last one did.';
comment on column invite.webhook_endpoints.warned_at is 'When the owners were told that it fails. Null: not since failing_since.';
comment on column invite.webhook_endpoints.created_at is 'When it was created.';
comment on column invite.webhook_endpoints.mean_seconds is
  'How long its requests take on average, the last ones counting most: each has a fifth of the weight. Under a second it is not kept up to date.';
comment on column invite.webhook_endpoints.format is 'What its requests are.';
comment on column invite.webhook_endpoints.survey_id is 'The only survey whose events it gets. Null: all.';
comment on column invite.webhook_endpoints.below is 'Of slack: lower scores are told. Null: those that are low by low_score.';

create index webhook_endpoints_workspace_idx on invite.webhook_endpoints (workspace_id);
comment on index invite.webhook_endpoints_workspace_idx is 'The endpoints of a workspace.';
create index webhook_endpoints_survey_idx on invite.webhook_endpoints (survey_id) where survey_id is not null;
comment on index invite.webhook_endpoints_survey_idx is 'The endpoints of a survey, which go with it.';

create type invite.webhook_status as enum ('pending', 'delivered', 'failed');
comment on type invite.webhook_status is 'pending: to be sent at due_at. failed: given up, or the endpoint responded 410.';

create table invite.webhook_deliveries (
  id bigint generated always as identity,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_position bigint,
  status invite.webhook_status not null default 'pending',
  due_at timestamptz,
  leased_until timestamptz,
  attempts smallint not null default 0,
  attempted_at timestamptz,
  response_status smallint,
  response_start text,
  error_code text,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_endpoint_fkey foreign key (endpoint_id) references invite.webhook_endpoints (id) on delete cascade,
  constraint webhook_deliveries_event_key unique (endpoint_id, event_id),
  constraint webhook_deliveries_due check ((status = 'pending') = (due_at is not null)),
  constraint webhook_deliveries_leased check (leased_until is null or status = 'pending'),
  constraint webhook_deliveries_response_length check (length(response_start) <= 500)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table invite.webhook_deliveries is 'An event on its way to an endpoint, and what became of it. Kept as long as events.';
comment on column invite.webhook_deliveries.id is 'The delivery.';
comment on column invite.webhook_deliveries.endpoint_id is 'The endpoint.';
comment on column invite.webhook_deliveries.event_id is 'The event''s id, which is webhook-id at each attempt.';
comment on column invite.webhook_deliveries.event_position is 'The event''s position. Null: a test, which is no event.';
comment on column invite.webhook_deliveries.status is 'See the type.';
comment on column invite.webhook_deliveries.due_at is 'When it is to be sent, or sent again. Null once it has ended.';
comment on column invite.webhook_deliveries.leased_until is 'A worker is sending it. Past: that worker is lost, and another takes it.';
comment on column invite.webhook_deliveries.attempts is 'How often it was tried. It also names the attempt: a later one is not settled by an earlier.';
comment on column invite.webhook_deliveries.attempted_at is 'When it was last tried.';
comment on column invite.webhook_deliveries.response_status is 'The HTTP status of the last response. Null: there was none.';
comment on column invite.webhook_deliveries.response_start is 'Its first characters. Null: none, or erased, because they may quote an address.';
comment on column invite.webhook_deliveries.error_code is 'Why there was no response, such as timeout or forbidden_address.';
comment on column invite.webhook_deliveries.created_at is 'When the event was published.';

create index webhook_deliveries_pending_idx on invite.webhook_deliveries (endpoint_id, due_at) where status = 'pending';
comment on index invite.webhook_deliveries_pending_idx is 'What is to be sent to an endpoint.';
create index webhook_deliveries_leased_idx on invite.webhook_deliveries (endpoint_id, leased_until) where leased_until is not null;
comment on index invite.webhook_deliveries_leased_idx is 'What is being sent to an endpoint: few, however many wait.';
create index webhook_deliveries_position_idx on invite.webhook_deliveries (event_position);
comment on index invite.webhook_deliveries_position_idx is 'The deliveries of an event, for its erasure.';
create index webhook_deliveries_listed_idx on invite.webhook_deliveries (endpoint_id, status, id);
comment on index invite.webhook_deliveries_listed_idx is 'The deliveries of an endpoint by status, newest first, for its log.';

create type invite.claimed_webhook as (
  id bigint,
  attempts smallint,
  endpoint_id uuid,
  url text,
  secrets text[],
  event_id uuid,
  body text,
  format invite.webhook_format
);
comment on type invite.claimed_webhook is
  'What a worker needs to send one event. secrets: sealed; each makes a signature, or of slack is the address. body: null if the event is no longer kept; of '
  'slack: as low_score_message.';

create type invite.sealed_secret as (kind text, id text, secret text);
comment on type invite.sealed_secret is
  'A secret that is stored encrypted. kind and id: what it belongs to; it can be decrypted for nothing else. secret: sealed.<id of its key>.<ciphertext>.';

------------------------------------------------------------------------------------------------------------------------------------
-- Notifications: what members are told by email

create table invite.notified_members (
  id bigint generated always as identity,
  workspace_id text collate "C" not null,
  email text collate "C" not null,
  secret uuid not null default gen_random_uuid(),
  time_zone text collate "C",
  report_due_at timestamptz,
  constraint notified_members_pkey primary key (id),
  constraint notified_members_member_key unique (workspace_id, email),
  constraint notified_members_member_fkey foreign key (workspace_id, email) references invite.members (workspace_id, email) on delete cascade,
  constraint notified_members_time_zone_length check (length(time_zone) between 1 and 64)
);
comment on table invite.notified_members is
  'A member who has chosen to get email about what happened. It goes with the member, and with it all that waits to be sent.';
comment on column invite.notified_members.id is 'Stands for the member where emails wait, so that they hold no address.';
comment on column invite.notified_members.workspace_id is 'The workspace. Never a test workspace.';
comment on column invite.notified_members.email is 'The member.';
comment on column invite.notified_members.secret is 'The secret of the link that stops the emails.';
comment on column invite.notified_members.time_zone is 'The zone in which the week begins. Null: the workspace''s.';
comment on column invite.notified_members.report_due_at is 'When the next weekly report is due. Null: the member wants none.';

create index notified_members_due_idx on invite.notified_members (report_due_at) where report_due_at is not null;
comment on index invite.notified_members_due_idx is 'The weekly reports that are due.';

create table invite.score_alerts (
  survey_id text collate "C" not null,
  notified_id bigint not null,
  question text collate "C" not null,
  below integer not null,
  constraint score_alerts_pkey primary key (survey_id, notified_id),
  constraint score_alerts_notified_fkey foreign key (notified_id) references invite.notified_members (id) on delete cascade,
  constraint score_alerts_survey_fkey foreign key (survey_id) references invite.surveys (id) on delete cascade
);
comment on table invite.score_alerts is 'A member''s rule: an email at once for each score below this one.';
comment on column invite.score_alerts.survey_id is 'The survey.';
comment on column invite.score_alerts.notified_id is 'The member.';
comment on column invite.score_alerts.question is 'The id of the question with the score.';
comment on column invite.score_alerts.below is 'Lower scores are told.';

create index score_alerts_notified_idx on invite.score_alerts (notified_id);
comment on index invite.score_alerts_notified_idx is 'The rules of a member.';

create type invite.notification_kind as enum ('low_scores', 'weekly_report');
comment on type invite.notification_kind is 'low_scores: about one response or several, as a member''s rule says.';

create table invite.notifications (
  id bigint generated always as identity,
  notified_id bigint not null,
  kind invite.notification_kind not null,
  week_ends_on date,
  created_at timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  attempts smallint not null default 0,
  ended_at timestamptz,
  outcome text,
  constraint notifications_pkey primary key (id),
  constraint notifications_notified_fkey foreign key (notified_id) references invite.notified_members (id) on delete cascade,
  constraint notifications_week check ((week_ends_on is null) = (kind <> 'weekly_report')),
  constraint notifications_ended check ((due_at is null) = (ended_at is not null) and (outcome is null or length(outcome) <= 100))
);
comment on table invite.notifications is
  'An email to a member about what happened. It has no text: what it says is read when it is sent, so that what was erased is in no email. Kept for a week.';
comment on column invite.notifications.id is 'The email; its key at the relay, the same at each attempt.';
comment on column invite.notifications.notified_id is 'The member.';
comment on column invite.notifications.kind is 'What it is about.';
comment on column invite.notifications.week_ends_on is 'Of a weekly report: the Monday on which the week is over.';
comment on column invite.notifications.created_at is 'When it was decided. The limit of an hour counts from here.';
comment on column invite.notifications.due_at is 'When it is to be sent, or sent again. Null once it has ended.';
comment on column invite.notifications.leased_until is 'A worker is sending it. Past: that worker is lost, and another takes it.';
comment on column invite.notifications.attempts is 'How often it was tried. It also names the attempt: a later one is not settled by an earlier.';
comment on column invite.notifications.ended_at is 'When it was sent or given up. Null: not yet.';
comment on column invite.notifications.outcome is
  'sent; nothing, if there was nothing left to tell; or the relay''s code of the last attempt. Null: not tried yet.';

create index notifications_due_idx on invite.notifications (due_at) where due_at is not null;
comment on index invite.notifications_due_idx is 'What is to be sent.';
create index notifications_notified_idx on invite.notifications (notified_id, created_at);
comment on index invite.notifications_notified_idx is 'What a member got lately.';
create index notifications_ended_idx on invite.notifications (ended_at) where ended_at is not null;
comment on index invite.notifications_ended_idx is 'What prune_expired deletes.';

create table invite.low_scores (
  notified_id bigint not null,
  response_id bigint not null,
  noticed_at timestamptz not null default clock_timestamp(),
  notification_id bigint,
  constraint low_scores_pkey primary key (response_id, notified_id),
  constraint low_scores_response_fkey foreign key (response_id) references invite.responses (id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on table invite.low_scores is
  'A response that a member is to be told of; deleted once the email has ended. A trigger keeps the member, in place of a foreign key: a response waits for no '
  'change of a member.';
comment on column invite.low_scores.notified_id is 'The member.';
comment on column invite.low_scores.response_id is 'The response.';
comment on column invite.low_scores.noticed_at is 'When it was recorded here.';
comment on column invite.low_scores.notification_id is 'The email that tells it. Null: none yet.';

create index low_scores_waiting_idx on invite.low_scores (notified_id, response_id) where notification_id is null;
comment on index invite.low_scores_waiting_idx is 'What no email tells yet.';
create index low_scores_notification_idx on invite.low_scores (notification_id) where notification_id is not null;
comment on index invite.low_scores_notification_idx is 'What an email tells.';
create index low_scores_noticed_idx on invite.low_scores (noticed_at);
comment on index invite.low_scores_noticed_idx is 'What prune_expired deletes.';

create type invite.claimed_notification as (
  id bigint,
  attempts smallint
);
comment on type invite.claimed_notification is 'An email to a member that a worker is to send. notification_content says what is in it.';

create type invite.notification_content as (
  kind invite.notification_kind,
  workspace_id text,
  workspace_name text,
  email text,
  role invite.member_role,
  time_zone text,
  token text,
  content jsonb
);
comment on type invite.notification_content is
  'What a worker needs to render an email to a member. content: low_score_content or weekly_report. token: of the link that stops it.';

create type invite.attention as (
  kind text,
  survey_id text,
  title text,
  number bigint,
  at timestamptz,
  detail jsonb
);
comment on type invite.attention is
  'What needs attention in a workspace (attention_of). kind: low_scores, emails_failed, sending_paused, survey_closing, links_expiring or rate_fell. survey_id: '
  'null for the workspace or the service. number: of responses, emails or invitations. at: since or until when. detail: what else the kind has.';

------------------------------------------------------------------------------------------------------------------------------------
-- Ends

create type invite.retained as enum ('batches', 'responses', 'relay_events', 'audit_log', 'failed_jobs', 'events');
comment on type invite.retained is 'What is deleted after a time of the owner''s choice.';

create table invite.retention (
  effective_at timestamptz not null default '-infinity',
  what invite.retained not null,
  days integer,
  previous_days integer,
  constraint retention_pkey primary key (what),
  constraint retention_days_range check (days between 1 and 36500)
);
comment on table invite.retention is 'For how long data is kept. prune_expired deletes what is older.';
comment on column invite.retention.effective_at is 'From when on the days hold: a day after they were shortened.';
comment on column invite.retention.what is 'What is kept. A batch goes with its invitations.';
comment on column invite.retention.days is 'For how many days, from its last event. Null: for good.';
comment on column invite.retention.previous_days is 'What holds until then.';

insert into invite.retention (what, days)
values ('batches', null), ('responses', null), ('relay_events', 365), ('audit_log', 730), ('failed_jobs', 30), ('events', 30);

create type invite.expiring as enum (
  'idempotency_keys', 'rejections', 'sign_in_links', 'test_invitations', 'sessions', 'notifications', 'uploads', 'cap_slots', 'webhook_deliveries', 'webhook_endpoints', 'failed_jobs',
  'relay_events', 'audit_log', 'responses', 'batches'
);
comment on type invite.expiring is 'What prune_expired deletes, in this order: keys before the batches that they name.';

create type invite.delete_result as (
  deleted integer,
  sending integer,
  more boolean
);
comment on type invite.delete_result is
  'deleted: rows that one step has deleted. sending: emails that a worker has; they are deleted once they are settled. more: call again.';
