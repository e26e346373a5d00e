-- The present schema: what all migrations together have made of the state, and what the pages' functions return. Generated from the catalogs
-- by `npm run schema`, and held by test/database/schema.test.ts. For reading: migrate never runs it.

-- The migrations that have been applied.
create table invite.migrations (
  version integer not null, -- The number of its file.
  name text not null, -- The name of its file.
  applied_at timestamptz not null default clock_timestamp(), -- When it was applied here.
  constraint migrations_pkey PRIMARY KEY (version)
);

-- What migrate last applied of functions, triggers, views and grants.
create table invite.definitions (
  file text not null, -- The file.
  digest text not null, -- Of the file and what it made: a difference is applied again.
  constraint definitions_pkey PRIMARY KEY (file)
);

-- How language tags are compared, and what readers of a language also read, from CLDR: migrate copies sql/languages.json.
create table invite.languages (
  tag text collate "C" not null, -- The start of a tag, in lower case.
  forms text[] collate "C" not null, -- First its form (language_form). Then, if the tag is itself a form, those of other languages that its readers read, best first.
  constraint languages_pkey PRIMARY KEY (tag),
  constraint languages_forms_some CHECK (cardinality(forms) > 0)
);

-- What the service itself says to recipients, as far as a workspace can word it (wordings): migrate copies sql/words.json.
create table invite.service_words (
  language text collate "C" not null, -- The language's tag. English has every name.
  name text collate "C" not null, -- The text's name, as in src/languages/en.ts.
  text text not null, -- The text, with its placeholders.
  informal text, -- The text for workspaces that address their readers informally. Null: the same.
  constraint service_words_pkey PRIMARY KEY (language, name)
);

-- The time zones that the server knows: reading them from PostgreSQL takes half a second. renew_time_zones fills it.
create table invite.time_zones (
  name text collate "C" not null, -- As PostgreSQL spells it, such as Europe/Berlin.
  constraint time_zones_pkey PRIMARY KEY (name)
);
-- A time zone in any case.
CREATE UNIQUE INDEX time_zones_lower_idx ON invite.time_zones USING btree (lower(name));

-- What a workspace pays for. A plan without api_trigger rejects trigger requests and holds due messages.
create table invite.plans (
  id text collate "C" not null, -- The product's name for the plan.
  api_trigger boolean not null, -- Whether workspaces on this plan may use the API trigger.
  constraint plans_pkey PRIMARY KEY (id),
  constraint plans_id_length CHECK (length(id) >= 1 AND length(id) <= 64)
);
-- Requeues waiting invitations when the plan begins to include the API trigger.
CREATE TRIGGER _500_sendable AFTER UPDATE ON invite.plans FOR EACH ROW WHEN (invite.hold_of_plan(new.*) IS NULL AND invite.hold_of_plan(old.*) IS NOT NULL) EXECUTE FUNCTION invite.tg_plans__sendable();
-- Records in the audit log who changed what the plan allows.
CREATE TRIGGER _600_audit AFTER UPDATE OF api_trigger ON invite.plans FOR EACH ROW WHEN (new.api_trigger <> old.api_trigger) EXECUTE FUNCTION invite.tg_plans__audit();

-- A customer.
create table invite.workspaces (
  id text collate "C" not null default gen_random_uuid()::text, -- The product's own id, or a generated UUID: 1-64 of A-Z a-z 0-9 . _ : -
  home text collate "C" not null default invite.new_home(), -- What its secrets, links and cursors begin with, and the hashes of its secrets: the home of the database that created it (settings.home), and four characters of its own. It stays when the workspace moves to another database.
  link_key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), -- What conceal hides the ids in its links with: it opens none of them. It never changes: all links that are out would be lost.
  name text not null, -- The name that recipients read in their email.
  plan_id text collate "C" not null default 'pro'::text, -- What the customer pays for.
  test_of text collate "C", -- The workspace that it is a test workspace of: none of its email leaves, and its time is test_now. Null: it is a real workspace.
  sender jsonb, -- Whom its emails come from: {name, email, reply_to, logo_url, logo_alt, accent_color, postal_address, recipient_word, greeting_without_name, subject_without_name, button_text, preheader}, each optional. logo_url: https, or the path of one of logos. The trigger _400_sender checks its form. Null: as MAIL_FROM says.
  wording text collate "C", -- Which words of its own it has: its home, and a digest of what wordings has of it. Servers and workers keep what they have read under this key. Null: none.
  records_events boolean not null default false, -- Whether what happens is recorded as events: responses and surveys at once, messages of requests accepted from then on.
  time_zone text collate "C", -- The time zone of its hours, for recipients and surveys without their own: a name of the IANA database. Null: UTC.
  open_hours int4multirange, -- When its email may leave: minutes of the local week, 0 is Monday 00:00. Bounds are quarter hours; the end is exclusive. Null: always.
  closed_days datemultirange, -- Dates on which none of its email leaves, such as holidays. Null: none.
  rest_days integer, -- After an invitation that a relay accepted, an address gets no other for so many times 24 hours, of any survey of the workspace. Null: no rest.
  max_delay_hours integer, -- An email that could not leave so many hours after it was wanted is skipped, unless its survey says otherwise. Null: LATE_SEND_HOURS, or the rest.
  suspended_at timestamptz, -- When it was suspended: trigger requests are rejected and due messages wait. Null: not suspended.
  paused_at timestamptz, -- When sending was paused for the workspace: requests are accepted, due messages wait. Null: not paused.
  guarded_at timestamptz, -- When the guard paused its email, because too much of it bounced or was reported as spam (check_guard). Requests are accepted, due messages wait until a person releases it. Null: it didn't.
  guard_warned_at timestamptz, -- When the guard last warned of it. Null: never.
  guard_since timestamptz, -- When a person last released it: the guard counts only what was sent since. Null: never.
  test_now timestamptz, -- What time it is in a test workspace. Only begin_test_step moves it, and never back.
  created_at timestamptz not null default clock_timestamp(), -- When the workspace was created here.
  moved_to text collate "C", -- The database (its settings.home) to which it is being moved, or has been: here is only the old copy, which nothing may change. Null: it is here.
  epoch text collate "C", -- As settings.epoch, of a workspace that has come from another database, so that its cursors stay valid. Null: the epoch of this database.
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_plan_fkey FOREIGN KEY (plan_id) REFERENCES invite.plans(id),
  constraint workspaces_test_of_fkey FOREIGN KEY (test_of) REFERENCES invite.workspaces(id),
  constraint workspaces_home_key UNIQUE (home),
  constraint workspaces_closed_days_form CHECK (NOT (isempty(closed_days) OR lower_inf(closed_days) OR upper_inf(closed_days))),
  constraint workspaces_home_form CHECK (home ~ '^[a-z0-9]{8}$'::text AND home !~ '^test|0000$'::text),
  constraint workspaces_id_format CHECK (id ~ '^[A-Za-z0-9._:-]{1,64}$'::text),
  constraint workspaces_link_key_length CHECK (length(link_key) = 32),
  constraint workspaces_max_delay_hours_range CHECK (max_delay_hours >= 1 AND max_delay_hours <= 8760),
  constraint workspaces_name_length CHECK (length(name) >= 1 AND length(name) <= 255),
  constraint workspaces_name_marks CHECK (name !~ invite.direction_marks()),
  constraint workspaces_open_hours_form CHECK (invite.are_open_hours(open_hours)),
  constraint workspaces_rest_days_range CHECK (rest_days >= 1 AND rest_days <= 365),
  constraint workspaces_test_clock CHECK ((test_of IS NULL) = (test_now IS NULL)),
  constraint workspaces_test_of_other CHECK (test_of <> id),
  constraint workspaces_time_zone_length CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64)
);
-- The workspaces that the guard has paused, for the metrics.
CREATE INDEX workspaces_guarded_idx ON invite.workspaces USING btree (id) WHERE (guarded_at IS NOT NULL);
-- The workspaces for which sending is paused, for the metrics.
CREATE INDEX workspaces_paused_idx ON invite.workspaces USING btree (id) WHERE (paused_at IS NOT NULL);
-- The test workspaces of a workspace.
CREATE INDEX workspaces_test_of_idx ON invite.workspaces USING btree (test_of) WHERE (test_of IS NOT NULL);
-- Keeps what has moved as it was.
CREATE TRIGGER _050_moved BEFORE UPDATE ON invite.workspaces FOR EACH ROW WHEN (new.moved_to = old.moved_to) EXECUTE FUNCTION invite.tg_workspaces__moved();
-- Checks what the rules may be.
CREATE TRIGGER _400_rules BEFORE INSERT OR UPDATE OF time_zone, closed_days, rest_days ON invite.workspaces FOR EACH ROW WHEN (num_nonnulls(new.time_zone, new.closed_days, new.rest_days) > 0) EXECUTE FUNCTION invite.tg_workspaces__rules();
-- Checks the form of the sender.
CREATE TRIGGER _400_sender BEFORE INSERT OR UPDATE OF sender ON invite.workspaces FOR EACH ROW WHEN (new.sender IS NOT NULL) EXECUTE FUNCTION invite.tg_workspaces__sender();
-- Looks again at what a rule of the workspace has put off.
CREATE TRIGGER _500_rules AFTER UPDATE ON invite.workspaces FOR EACH ROW WHEN (new.time_zone IS DISTINCT FROM old.time_zone OR new.open_hours IS DISTINCT FROM old.open_hours OR new.closed_days IS DISTINCT FROM old.closed_days OR new.rest_days IS DISTINCT FROM old.rest_days OR new.max_delay_hours IS DISTINCT FROM old.max_delay_hours) EXECUTE FUNCTION invite.tg_workspaces__rules_changed();
-- Requeues waiting invitations when the workspace may have become sendable.
CREATE TRIGGER _500_sendable AFTER UPDATE ON invite.workspaces FOR EACH ROW WHEN (invite.hold_of_workspace(new.*) IS NULL AND (invite.hold_of_workspace(old.*) IS NOT NULL OR old.plan_id <> new.plan_id)) EXECUTE FUNCTION invite.tg_workspaces__sendable();
-- Records in the audit log who changed the workspace.
CREATE TRIGGER _600_audit AFTER UPDATE ON invite.workspaces FOR EACH ROW WHEN (new.* IS DISTINCT FROM old.*) EXECUTE FUNCTION invite.tg_workspaces__audit();

-- What a workspace has recipients read in place of the service's own texts, by language, also in languages that the service doesn't speak. set_wording writes it.
create table invite.wordings (
  workspace_id text collate "C" not null, -- The workspace.
  language text collate "C" not null, -- The language's tag.
  words jsonb not null default '{}'::jsonb, -- Its texts by name, with the placeholders of the service's.
  originals jsonb not null default '{}'::jsonb, -- What the service said in place of each of them when it was written. If that has changed, the text is outdated.
  informal boolean not null default false, -- Whether the service's own texts address the reader informally, in a language where it has both forms.
  spoken boolean not null, -- Whether recipients are addressed in it: if the service speaks it too, or once there is a text for each of the service's.
  constraint wordings_pkey PRIMARY KEY (workspace_id, language),
  constraint wordings_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint wordings_language_length CHECK (length(language) >= 2 AND length(language) <= 35),
  constraint wordings_objects CHECK (jsonb_typeof(words) = 'object'::text AND jsonb_typeof(originals) = 'object'::text),
  constraint wordings_some CHECK (words <> '{}'::jsonb OR informal)
);

-- Logos that a workspace has uploaded, at the top of its emails and pages. A row never changes, so browsers keep what they have got. add_logo writes it.
create table invite.logos (
  workspace_id text collate "C" not null, -- The workspace.
  name text collate "C" not null, -- Half of the picture's SHA-256 in hexadecimal digits, then its width and height in pixels, such as …-240x80.png. So a page leaves room for a picture without reading it.
  picture bytea not null, -- The file as it was uploaded: a PNG or JPEG.
  added_at timestamptz not null, -- When it was uploaded last.
  constraint logos_pkey PRIMARY KEY (workspace_id, name),
  constraint logos_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint logos_name_form CHECK (name ~ '^[0-9a-f]{32}-[1-9][0-9]{1,3}x[1-9][0-9]{1,3}[.](png|jpg)$'::text),
  constraint logos_name_of_picture CHECK ("left"(name, 32) = encode(substr(sha256(picture), 1, 16), 'hex'::text)),
  constraint logos_picture_kind CHECK (substr(picture, 1, 3) =
CASE "right"(name, 3)
    WHEN 'png'::text THEN '\x89504e'::bytea
    ELSE '\xffd8ff'::bytea
END),
  constraint logos_picture_size CHECK (octet_length(picture) <= 204800)
);

-- Workspaces that are in another database: note_copy writes the row when the workspace is there, or is copied here before it comes. It stays when the copy is erased, and goes if the workspace comes.
create table invite.moved_workspaces (
  workspace_id text collate "C" not null, -- The workspace, or a test workspace of it. No foreign key: it is erased here.
  home text collate "C" not null, -- Its home, by which a router sends calls to the other database.
  cell text collate "C" not null, -- The database in which it is: its settings.home.
  moved_at timestamptz not null, -- When it was moved.
  erase_at timestamptz not null, -- When the old copy is erased. Until then read_events reads here what happened here.
  erased_at timestamptz, -- When the old copy was erased. Null: it is still there.
  constraint moved_workspaces_pkey PRIMARY KEY (workspace_id)
);

-- From the most rights to the fewest. Owners, admins and editors manage trigger tokens; viewers read Results.
create type invite.member_role as enum (
  'owner', 'admin', 'editor', 'viewer'
);

-- A person's role in a workspace.
create table invite.members (
  workspace_id text collate "C" not null, -- The workspace.
  email text collate "C" not null, -- In lower case: one person is one row.
  role invite.member_role not null, -- What the person may do in this workspace.
  created_at timestamptz not null default clock_timestamp(), -- When the person became a member.
  constraint members_pkey PRIMARY KEY (workspace_id, email),
  constraint members_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint members_email_folded CHECK (email = lower(email) AND length(email) <= 254 AND email !~ invite.direction_marks() AND email ~ '^[^@[:space:][:cntrl:]<>,;]+@[^@[:space:][:cntrl:]<>,;]+[.][^@[:space:][:cntrl:]<>,;]+$'::text)
);
-- The workspaces of a person.
CREATE INDEX members_email_idx ON invite.members USING btree (email);
-- Signs out people who aren't members of any workspace any more.
CREATE TRIGGER _500_signed_out AFTER DELETE ON invite.members REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_members__signed_out();

-- Requests to sign in, of unknown addresses too: both must take the same time. Kept for a day.
create table invite.sign_in_links (
  id uuid not null default gen_random_uuid(), -- What the job that sends the email carries.
  email text collate "C" not null, -- The address as it was entered, in lower case; not necessarily a member's.
  next_path text, -- The page to go on to. Null: the start page.
  secret_hash bytea, -- Home and SHA-256 of the secret in the link. Null until the worker has made one; a second email replaces it.
  browser_hash bytea, -- SHA-256 of the secret in the cookie of the browser that requested the link. Null: an operator made it.
  requested_at timestamptz not null, -- When the link was requested: its limit counts from here.
  expires_at timestamptz, -- When the link expires. Null until the worker has made the secret.
  used_at timestamptz, -- When the link, or another of the same person, was used. Null: not yet.
  constraint sign_in_links_pkey PRIMARY KEY (id),
  constraint sign_in_links_secret_hash_key UNIQUE (secret_hash),
  constraint sign_in_links_browser_hash_sha256 CHECK (length(browser_hash) = 32),
  constraint sign_in_links_email_folded CHECK (email = lower(email) AND length(email) >= 3 AND length(email) <= 254),
  constraint sign_in_links_issued CHECK ((secret_hash IS NULL) = (expires_at IS NULL)),
  constraint sign_in_links_next_own CHECK (next_path ~ '^/([^/\\[:space:][:cntrl:]][^\\[:space:][:cntrl:]]*)?$'::text AND length(next_path) <= 500),
  constraint sign_in_links_secret_hash_length CHECK (length(secret_hash) = 40)
);
-- The requests of an address, for their limit.
CREATE INDEX sign_in_links_email_idx ON invite.sign_in_links USING btree (email, requested_at);

-- Who is signed in. A session ends 14 days after created_at, 2 days after seen_at, or with its row: deleting it signs the person out.
create table invite.sessions (
  id uuid not null default gen_random_uuid(), -- What its person names it by, to end it.
  secret_hash bytea not null, -- Home and SHA-256 of the secret in the cookie.
  email text collate "C" not null, -- The person who is signed in.
  client_address text, -- The network address that signed in.
  device text, -- Browser and system that signed in, roughly, such as Firefox on Windows. Null: not known.
  created_at timestamptz not null, -- When the person signed in.
  seen_at timestamptz not null, -- When the session was last used, to five minutes.
  constraint sessions_pkey PRIMARY KEY (secret_hash),
  constraint sessions_client_address_length CHECK (length(client_address) <= 64),
  constraint sessions_device_length CHECK (length(device) <= 64),
  constraint sessions_secret_hash_length CHECK (length(secret_hash) = 40)
);
-- The sessions of a person, to end them.
CREATE INDEX sessions_email_idx ON invite.sessions USING btree (email);
-- Records that a person is signed out.
CREATE TRIGGER _500_ended AFTER DELETE ON invite.sessions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_sessions__ended();

-- Only an active survey sends messages; in draft or closed, due invitations wait.
create type invite.survey_state as enum (
  'draft', 'active', 'closed'
);

-- Why the email of a survey is held. If several apply, the first in this order counts (hold_reason).
create type invite.hold_reason as enum (
  'workspace_suspended', 'plan_required', 'survey_disabled', 'survey_draft', 'survey_closed', 'sending_paused', 'workspace_guarded',
  'workspace_paused', 'survey_paused'
);

-- What is wrong with the questions of a survey (validate_questions, surveys_questions_form).
create type invite.question_error_code as enum (
  'not_a_list', 'too_large', 'not_an_object', 'invalid_id', 'repeated_id', 'unknown_type', 'unknown_field', 'invalid_label',
  'invalid_required', 'invalid_range', 'invalid_range_size', 'invalid_end_label', 'invalid_choices', 'invalid_choice', 'repeated_choice',
  'invalid_nps', 'invalid_stars', 'invalid_several', 'invalid_ask_if', 'invalid_thanks', 'asked_otherwise'
);

-- A survey that people are invited to.
create table invite.surveys (
  id text collate "C" not null default gen_random_uuid()::text, -- The product's own id, or a generated UUID: 1-64 of A-Z a-z 0-9 . _ : -
  workspace_id text collate "C" not null, -- The workspace that the survey belongs to, for good.
  title text not null, -- What recipients read in their email and on the survey page.
  language text collate "C" not null default 'en'::text, -- The language (BCP 47) of its title, questions and thanks, and of its tokens' texts.
  state invite.survey_state not null default 'draft'::invite.survey_state, -- A plain update of this column is enough: the trigger _500_sendable requeues what waits.
  public_url text, -- The product's own survey page. Null: the service's page, PUBLIC_URL/s/<id>.
  open_responses boolean not null default true, -- Whether the service's page takes responses without a tracked link.
  questions jsonb not null default '[{"id": "score", "max": 10, "min": 0, "type": "score", "label": "How likely are you to recommend us?", "required": true, "max_label": "Extremely likely", "min_label": "Not at all likely"}, {"id": "comment", "type": "text", "label": "What is the main reason for your score?", "required": false}]'::jsonb, -- Questions of the service's own page: a list of {id, type: score|choice|text, label, required, min, max, min_label, max_label, low_thanks, middle_thanks, high_thanks, nps, stars, choices, choice_ids, several, ask_if: {question, min, max} or {question, choices}}. The service gives each choice an id, so that a renamed one keeps its translation. The trigger _400_questions checks their form.
  questions_version integer not null default 1, -- Counts the changes of questions, from 1.
  thanks text, -- What people read after they responded on the service's page. Null: a sentence of the service.
  button_label text, -- What the button below the thank-you text says. Null: there is none.
  button_url text, -- Where that button leads, the same for everybody.
  translations jsonb, -- By language: {title, thanks, button_label, questions: {<id>: {label, min_label, max_label, low_thanks, middle_thanks, high_thanks, choices: {<choice>: its translation}}}}, each optional. Answers stay those of the questions. The trigger _400_translations checks its form.
  translated_from jsonb, -- By language: the {title, thanks, button_label, questions} that each text was translated from, so that pages say what has changed since; and in choices, by question, what choices that were renamed since were called. Empty: another editor changed it while it was translated.
  time_zone text collate "C", -- The time zone of the hours, for recipients without their own. Null: the workspace's.
  max_delay_hours integer, -- As workspaces.max_delay_hours, for this survey alone. Null: the workspace's.
  link_days integer, -- A tracked link expires so many times 24 hours after its invitation was sent. Null: never.
  response_limit integer, -- How many responses it takes before it is closed. Null: no limit.
  closes_at timestamptz, -- From when it takes no responses and sends no email, also before close_surveys has written the state. Null: it is closed by hand.
  activated_at timestamptz, -- When it first became active: its emails could not leave earlier, so their delay counts from here. Null: it didn't.
  disabled_at timestamptz, -- When it was disabled: trigger requests are rejected and due messages wait. Null: not disabled.
  paused_at timestamptz, -- When sending was paused for the survey: requests are accepted, due messages wait. Null: not paused.
  created_at timestamptz not null default clock_timestamp(), -- When the survey was created here.
  deletion_started_at timestamptz, -- When delete_survey began, which takes several steps. Null: it didn't.
  constraint surveys_pkey PRIMARY KEY (id),
  constraint surveys_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id),
  constraint surveys_button_both CHECK ((button_label IS NULL) = (button_url IS NULL)),
  constraint surveys_button_label_line CHECK (length(button_label) >= 1 AND length(button_label) <= 100 AND button_label !~ '^\s|\s$|[\u0001-\u001f\u007f-\u009f\u2028\u2029]'::text AND button_label !~ invite.direction_marks()),
  constraint surveys_button_url_https CHECK (button_url ~ '^https://[^][:space:][:cntrl:]/?#@\\]+([/?#][^[:space:][:cntrl:]]*)?$'::text AND length(button_url) <= 2000 AND button_url !~ invite.direction_marks()),
  constraint surveys_closes_at_range CHECK (closes_at < '10000-01-01 00:00:00+00'::timestamp with time zone),
  constraint surveys_id_format CHECK (id ~ '^[A-Za-z0-9._:-]{1,64}$'::text),
  constraint surveys_language_tag CHECK (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'::text AND length(language) <= 35),
  constraint surveys_link_days_range CHECK (link_days >= 1 AND link_days <= 3650),
  constraint surveys_max_delay_hours_range CHECK (max_delay_hours >= 1 AND max_delay_hours <= 8760),
  constraint surveys_public_url_http CHECK (public_url ~* '^https?://[^[:space:][:cntrl:]]+$'::text AND length(public_url) <= 2000),
  constraint surveys_questions_array CHECK (jsonb_typeof(questions) = 'array'::text),
  constraint surveys_response_limit_positive CHECK (response_limit > 0),
  constraint surveys_thanks_length CHECK (length(thanks) >= 1 AND length(thanks) <= 2000),
  constraint surveys_thanks_marks CHECK (thanks !~ invite.direction_marks()),
  constraint surveys_time_zone_length CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64),
  constraint surveys_title_length CHECK (length(title) >= 1 AND length(title) <= 255),
  constraint surveys_title_marks CHECK (title !~ invite.direction_marks()),
  constraint surveys_translations_object CHECK (jsonb_typeof(translations) = 'object'::text),
  constraint surveys_translations_size CHECK ((COALESCE(octet_length(translations::text), 0) + COALESCE(octet_length(translated_from::text), 0)) <= 4194304)
);
-- The surveys that a date will close, the next one first.
CREATE INDEX surveys_closing_idx ON invite.surveys USING btree (closes_at) WHERE ((state = 'active'::invite.survey_state) AND (closes_at IS NOT NULL));
-- The surveys for which sending is paused, for the metrics.
CREATE INDEX surveys_paused_idx ON invite.surveys USING btree (id) WHERE (paused_at IS NOT NULL);
-- The surveys of a workspace, the newest first.
CREATE INDEX surveys_workspace_idx ON invite.surveys USING btree (workspace_id, created_at DESC, id);
-- Keeps what has moved as it was.
CREATE TRIGGER _050_moved BEFORE INSERT OR UPDATE ON invite.surveys FOR EACH ROW WHEN (new.deletion_started_at IS NULL) EXECUTE FUNCTION invite.tg_surveys__moved();
-- Notes when the survey first became active: the delay of its emails counts from there.
CREATE TRIGGER _200_activated BEFORE INSERT OR UPDATE OF state ON invite.surveys FOR EACH ROW WHEN (new.state = 'active'::invite.survey_state AND new.activated_at IS NULL) EXECUTE FUNCTION invite.tg_surveys__activated();
-- Keeps the survey in its workspace.
CREATE TRIGGER _300_workspace BEFORE UPDATE OF workspace_id ON invite.surveys FOR EACH ROW WHEN (new.workspace_id <> old.workspace_id) EXECUTE FUNCTION invite.tg_surveys__workspace();
-- Checks what ends the survey.
CREATE TRIGGER _350_ends BEFORE INSERT OR UPDATE OF state, closes_at, response_limit ON invite.surveys FOR EACH ROW EXECUTE FUNCTION invite.tg_surveys__ends();
-- Gives each choice the id that it had before, or one of its own.
CREATE TRIGGER _380_choice_ids BEFORE INSERT OR UPDATE OF questions ON invite.surveys FOR EACH ROW EXECUTE FUNCTION invite.tg_surveys__choice_ids();
-- Lets renamed choices keep their translations.
CREATE TRIGGER _390_choices BEFORE UPDATE OF questions ON invite.surveys FOR EACH ROW WHEN (new.translations IS NOT NULL AND new.translations = old.translations AND new.questions <> old.questions) EXECUTE FUNCTION invite.tg_surveys__choices();
-- Checks the form of the questions, and keeps the earlier ones.
CREATE TRIGGER _400_questions BEFORE INSERT OR UPDATE OF questions ON invite.surveys FOR EACH ROW EXECUTE FUNCTION invite.tg_surveys__questions();
-- Checks the time zone.
CREATE TRIGGER _400_time_zone BEFORE UPDATE OF time_zone ON invite.surveys FOR EACH ROW WHEN (new.time_zone IS NOT NULL AND new.time_zone IS DISTINCT FROM old.time_zone) EXECUTE FUNCTION invite.tg_surveys__time_zone();
-- Checks the form of the translations.
CREATE TRIGGER _400_translations BEFORE INSERT OR UPDATE OF translations ON invite.surveys FOR EACH ROW WHEN (new.translations IS NOT NULL) EXECUTE FUNCTION invite.tg_surveys__translations();
-- Queues the job that closes the survey at its date.
CREATE TRIGGER _500_closes AFTER INSERT OR UPDATE OF closes_at ON invite.surveys FOR EACH ROW WHEN (new.closes_at IS NOT NULL) EXECUTE FUNCTION invite.tg_surveys__closes();
-- Looks again at what a rule of the survey has put off.
CREATE TRIGGER _500_rules AFTER UPDATE ON invite.surveys FOR EACH ROW WHEN (new.time_zone IS DISTINCT FROM old.time_zone OR new.max_delay_hours IS DISTINCT FROM old.max_delay_hours OR new.link_days IS DISTINCT FROM old.link_days OR new.closes_at IS DISTINCT FROM old.closes_at) EXECUTE FUNCTION invite.tg_surveys__rules_changed();
-- Requeues waiting invitations when the survey becomes sendable.
CREATE TRIGGER _500_sendable AFTER UPDATE ON invite.surveys FOR EACH ROW WHEN (invite.hold_of_survey(new.*) IS NULL AND invite.hold_of_survey(old.*) IS NOT NULL) EXECUTE FUNCTION invite.tg_surveys__sendable();
-- Counts the answers to new questions.
CREATE TRIGGER _550_recount AFTER UPDATE OF questions ON invite.surveys FOR EACH ROW WHEN (new.questions <> old.questions) EXECUTE FUNCTION invite.tg_surveys__recount();
-- Records in the audit log who changed the survey.
CREATE TRIGGER _600_audit AFTER UPDATE ON invite.surveys FOR EACH ROW WHEN (new.* IS DISTINCT FROM old.*) EXECUTE FUNCTION invite.tg_surveys__audit();
-- Records in the audit log who created the survey.
CREATE TRIGGER _600_created AFTER INSERT ON invite.surveys FOR EACH ROW EXECUTE FUNCTION invite.tg_surveys__created();
-- Records as an event that the survey was activated or closed.
CREATE TRIGGER _700_event AFTER UPDATE ON invite.surveys FOR EACH ROW WHEN (new.state <> old.state AND (new.state = ANY (ARRAY['active'::invite.survey_state, 'closed'::invite.survey_state]))) EXECUTE FUNCTION invite.tg_surveys__event();

-- The questions of a survey as they were asked before a change, so that each response is shown beside what was asked. Of what nobody was asked there is no row.
create table invite.past_questions (
  survey_id text collate "C" not null, -- The survey.
  version integer not null, -- The survey's questions_version while it asked them.
  questions jsonb not null, -- As surveys.questions.
  replaced_at timestamptz not null default clock_timestamp(), -- When they were changed.
  constraint past_questions_pkey PRIMARY KEY (survey_id, version),
  constraint past_questions_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id) ON DELETE CASCADE
);

-- The questions of a survey as an editor has typed them, until they are published. Nobody is asked them, and they may be invalid. Each survey has at most one that isn't replaced.
create table invite.question_drafts (
  survey_id text collate "C" not null, -- The survey.
  revision uuid not null, -- A new one each time it is saved. Whoever saves names the revision that was edited, so that no editor overwrites another.
  questions jsonb not null, -- As surveys.questions, but with any values. removed: it is left out when they are published.
  questions_version integer not null, -- The survey's questions_version when the draft was begun.
  edited_by text collate "C" not null, -- The member who edited it last.
  edited_at timestamptz not null default clock_timestamp(), -- When it was last edited.
  replaced_at timestamptz, -- When another editor put other questions in its place. It is kept until the survey's draft is published or discarded. Null: this is the draft.
  constraint question_drafts_pkey PRIMARY KEY (survey_id, revision),
  constraint question_drafts_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id) ON DELETE CASCADE,
  constraint question_drafts_array CHECK (jsonb_typeof(questions) = 'array'::text),
  constraint question_drafts_size CHECK (octet_length(questions::text) <= 262144)
);
-- A survey has one draft.
CREATE UNIQUE INDEX question_drafts_current_idx ON invite.question_drafts USING btree (survey_id) WHERE (replaced_at IS NULL);

-- What a backend authenticates with. Bound to one survey; carries defaults and a cooldown.
create table invite.trigger_tokens (
  id uuid not null default gen_random_uuid(), -- The token's id. The secret is not derived from it.
  survey_id text collate "C" not null, -- The only survey that the token can trigger.
  name text not null, -- What people call the token, such as the system that uses it.
  secret_hash bytea not null, -- Home and SHA-256 of the secret. The secret itself is never stored.
  secret_hint text not null, -- The last four characters of the secret, to tell tokens apart.
  previous_secret_hash bytea, -- As secret_hash, of the secret that was replaced last. Null: it was never replaced.
  previous_secret_hint text, -- As secret_hint, of the secret that was replaced last.
  previous_secret_until timestamptz, -- Until when the replaced secret is accepted beside the other.
  allow_reading boolean not null default false, -- Whether its secret also reads the batches and events of its survey over HTTP.
  cooldown_seconds integer not null default 60, -- Minimum seconds between two accepted requests.
  default_subject text not null default '{{workspace_name}}: {{survey_title}}'::text, -- Subject of the invitation when the request has none.
  default_message text not null default 'Hello {{recipient_name}},

{{workspace_name}} would like your opinion: {{survey_title}}

{{survey_link}}

Thank you!'::text, -- Text of the invitation when the request has none.
  default_reminders smallint[] not null default '{}'::smallint[], -- Days from the sent invitation to each of its reminders, ascending. Empty: no reminder.
  default_reminder_subject text, -- Null: the invitation's subject after "Reminder: ".
  default_reminder_message text, -- Null: the invitation's message.
  ignores_rest boolean not null default false, -- Whether its invitations leave in spite of the workspace's rest. What a recipient chose holds all the same.
  is_by_hand boolean not null default false, -- Whether it is the token of lists that people upload (uploads). It has no secret: its secret_hash is random. A survey has at most one.
  question_in_email boolean not null default false, -- Whether its emails ask the question of email_question. A click opens the survey page with that answer chosen, and stores nothing.
  sender jsonb, -- What differs from the workspace's sender, in the same form. Null: nothing.
  translations jsonb, -- By language (BCP 47): {subject, message, reminder_subject, reminder_message, recipient_word, greeting_without_name, subject_without_name, button_text, preheader}, each optional. The trigger _400_translations checks its form.
  translated_from jsonb, -- By language and name: what the original of each translated text said then, so that pages say what has changed since. Empty: another editor changed it while it was translated.
  created_by text, -- Email of the member who created the token. Null: the command line or the product did.
  created_at timestamptz not null default clock_timestamp(), -- When the token was created.
  deleted_at timestamptz, -- When the token was deleted; its secret is unknown from then on.
  constraint trigger_tokens_pkey PRIMARY KEY (id),
  constraint trigger_tokens_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id),
  constraint trigger_tokens_secret_hash_key UNIQUE (secret_hash),
  constraint trigger_tokens_by_hand CHECK (NOT is_by_hand OR cooldown_seconds = 0 AND secret_hint = ''::text AND NOT allow_reading),
  constraint trigger_tokens_cooldown_range CHECK (cooldown_seconds >= 0 AND cooldown_seconds <= 86400),
  constraint trigger_tokens_message_length CHECK (octet_length(default_message) >= 1 AND octet_length(default_message) <= 65536),
  constraint trigger_tokens_name_length CHECK (length(name) >= 1 AND length(name) <= 255),
  constraint trigger_tokens_name_marks CHECK (name !~ invite.direction_marks()),
  constraint trigger_tokens_previous_secret_form CHECK (length(previous_secret_hash) = 40 AND previous_secret_hash <> secret_hash AND length(previous_secret_hint) <= 8),
  constraint trigger_tokens_previous_secret_whole CHECK (num_nonnulls(previous_secret_hash, previous_secret_hint, previous_secret_until) = ANY (ARRAY[0, 3])),
  constraint trigger_tokens_reminder_message_length CHECK (octet_length(default_reminder_message) >= 1 AND octet_length(default_reminder_message) <= 65536),
  constraint trigger_tokens_reminder_subject_length CHECK (length(default_reminder_subject) >= 1 AND length(default_reminder_subject) <= 255 AND default_reminder_subject !~ '[\r\n]'::text),
  constraint trigger_tokens_reminder_subject_marks CHECK (default_reminder_subject !~ invite.direction_marks()),
  constraint trigger_tokens_reminders_ascending CHECK (cardinality(default_reminders) <= 5 AND array_ndims(default_reminders) = 1 AND array_lower(default_reminders, 1) = 1 AND array_position(default_reminders, NULL::smallint) IS NULL AND (1 <= ALL (default_reminders)) AND (365 >= ALL (default_reminders)) AND default_reminders[1] < default_reminders[2] AND default_reminders[2] < default_reminders[3] AND default_reminders[3] < default_reminders[4] AND default_reminders[4] < default_reminders[5]),
  constraint trigger_tokens_secret_hash_length CHECK (length(secret_hash) = 40),
  constraint trigger_tokens_secret_hint_length CHECK (length(secret_hint) <= 8),
  constraint trigger_tokens_subject_length CHECK (length(default_subject) >= 1 AND length(default_subject) <= 255 AND default_subject !~ '[\r\n]'::text),
  constraint trigger_tokens_subject_marks CHECK (default_subject !~ invite.direction_marks()),
  constraint trigger_tokens_translated_from_size CHECK (octet_length(translated_from::text) <= 4194304),
  constraint trigger_tokens_translations_size CHECK (octet_length(translations::text) <= 262144)
);
-- The token of a survey's uploads.
CREATE UNIQUE INDEX trigger_tokens_by_hand_idx ON invite.trigger_tokens USING btree (survey_id) WHERE (is_by_hand AND (deleted_at IS NULL));
-- The token of a replaced secret.
CREATE UNIQUE INDEX trigger_tokens_previous_secret_idx ON invite.trigger_tokens USING btree (previous_secret_hash) WHERE (previous_secret_hash IS NOT NULL);
-- The tokens of a survey, deleted ones too.
CREATE INDEX trigger_tokens_survey_idx ON invite.trigger_tokens USING btree (survey_id);
-- Keeps what has moved as it was.
CREATE TRIGGER _050_moved BEFORE UPDATE ON invite.trigger_tokens FOR EACH ROW EXECUTE FUNCTION invite.tg_trigger_tokens__moved();
-- Checks the form of the sender.
CREATE TRIGGER _400_sender BEFORE INSERT OR UPDATE OF sender ON invite.trigger_tokens FOR EACH ROW WHEN (new.sender IS NOT NULL) EXECUTE FUNCTION invite.tg_trigger_tokens__sender();
-- Checks the form of the translations.
CREATE TRIGGER _400_translations BEFORE INSERT OR UPDATE OF translations ON invite.trigger_tokens FOR EACH ROW WHEN (new.translations IS NOT NULL) EXECUTE FUNCTION invite.tg_trigger_tokens__translations();
-- Checks the variables in the default texts and the sender's.
CREATE TRIGGER _410_variables BEFORE INSERT OR UPDATE OF default_subject, default_message, default_reminder_subject, default_reminder_message, sender ON invite.trigger_tokens FOR EACH ROW EXECUTE FUNCTION invite.tg_trigger_tokens__variables();
-- Looks again at what rests, once the token ignores rests.
CREATE TRIGGER _500_rules AFTER UPDATE ON invite.trigger_tokens FOR EACH ROW WHEN (new.ignores_rest AND NOT old.ignores_rest) EXECUTE FUNCTION invite.tg_trigger_tokens__rules();

-- What becomes of a trigger request, in the order in which it is decided.
create type invite.trigger_outcome as enum (
  'accepted', 'unknown_token', 'idempotency_key_reused', 'workspace_disabled', 'plan_required', 'survey_disabled', 'cooldown',
  'flood_protection'
);

-- The first message of an invitation, or one of its reminders.
create type invite.message_kind as enum (
  'invitation', 'reminder'
);

-- What holds for the whole service. One row.
create table invite.settings (
  one_row boolean not null default true, -- Always true: there is one row.
  home text collate "C" not null default "left"(md5(gen_random_uuid()::text), 4), -- The name of this database: HOME_ID of the first migrate, or drawn at random by it. The homes of the workspaces that it creates begin with it. Sign-in links and sessions have it, with 0000 after it. It never changes.
  epoch text collate "C" not null default "left"(md5(gen_random_uuid()::text), 4), -- Part of the cursors of event readers: renew_epoch draws another one in a restored database.
  epoch_of text collate "C", -- The cluster and database in which the epoch was drawn. Null: by the migration.
  cell_number smallint not null default 0, -- CELL_NUMBER of the first migrate. The ids of its rows begin at this many times 2^44, so that those of several databases never meet, and all are exact in JSON. It never changes.
  recipients_per_hour integer, -- FLOOD_RECIPIENTS_PER_HOUR of the last migrate: the most that a separate role may apply. Null: no bound.
  paused_at timestamptz, -- When sending was paused for everyone: requests are accepted, due messages wait. Null: not paused.
  constraint settings_pkey PRIMARY KEY (one_row),
  constraint settings_cell_number_range CHECK (cell_number >= 0 AND cell_number <= 255),
  constraint settings_home_form CHECK (home ~ '^[a-z0-9]{4}$'::text AND home <> 'test'::text),
  constraint settings_one_row CHECK (one_row),
  constraint settings_recipients_per_hour_positive CHECK (recipients_per_hour > 0)
);
-- Requeues waiting invitations when sending is resumed for everyone.
CREATE TRIGGER _500_resumed AFTER UPDATE ON invite.settings FOR EACH ROW WHEN (invite.hold_of_settings(new.*) IS NULL AND invite.hold_of_settings(old.*) IS NOT NULL) EXECUTE FUNCTION invite.tg_settings__resumed();
-- Records in the audit log who paused or resumed sending for everyone.
CREATE TRIGGER _600_audit AFTER UPDATE OF paused_at ON invite.settings FOR EACH ROW WHEN ((new.paused_at IS NULL) <> (old.paused_at IS NULL)) EXECUTE FUNCTION invite.tg_settings__audit();

-- Why an email hasn't been sent. departure_reason decides; the view unsent_messages adds what depends on its job (job_running, job_lost, job_postponed). ready: nothing stops it, and it is about to be sent.
create type invite.unsent_reason as enum (
  'failed', 'cancelled', 'sending', 'not_due', 'retry_later', 'responded', 'suppressed', 'declined', 'content_rejected', 'survey_ended',
  'link_expired', 'too_late', 'held', 'requeueing', 'rests_too_long', 'opens_too_late', 'capped_too_long', 'resting', 'outside_hours',
  'capped', 'no_worker', 'relay_paused', 'job_running', 'job_lost', 'job_postponed', 'ready'
);

-- One accepted trigger request. Its status is derived: see the view batch_overview.
create table invite.batches (
  id uuid not null, -- A version 7 UUID of accepted_at; the caller gets it.
  trigger_token_id uuid not null, -- The token that the request came with.
  accepted_at timestamptz not null, -- When the request was accepted.
  scheduled_at timestamptz not null, -- When the batch becomes due.
  workspace_total bigint, -- Accepted recipients of the workspace, with this batch: its quota is the difference of two totals, so that accepting only inserts rows. Null: invited from SQL a moment ago, see count_batches.
  recipients integer not null, -- How many recipients the request had, each with an invitation.
  content_rejections smallint not null default 0, -- Messages of it that the relay has rejected for what they are, not for their recipient, since it last took one.
  rejected_kind invite.message_kind, -- Which message is no longer tried, because the relay rejected five in a row (content_rejected). Null: none. A retry by hand clears it.
  deferred_for invite.unsent_reason[], -- The rules for which invitation.deferred was recorded: once each. Null: none.
  question_in_email boolean not null default false, -- The token's when the request was accepted.
  workspace_id text collate "C" not null, -- The survey's workspace, copied so that lists of a workspace need no join.
  survey_id text collate "C" not null, -- The survey that its recipients are invited to.
  reminders smallint[] not null default '{}'::smallint[], -- Days from the sent invitation to each of its reminders, ascending. Empty: no reminder.
  language text collate "C", -- The language of recipients without their own, as the request says. Null: the survey's.
  subject_language text collate "C", -- The language of the request's own subject. Null: the survey's.
  message_language text collate "C", -- The language of the request's own message. Null: the survey's.
  time_zone text collate "C", -- The time zone of recipients without their own, as the request says. Null: the survey's.
  subject text not null, -- The template as it was accepted; the token's defaults may have changed since.
  message text not null, -- The template as it was accepted, like subject.
  reminder_subject text, -- The token's when the request was accepted. Null: the batch's subject after "Reminder: ".
  reminder_message text, -- The token's when the request was accepted. Null: the batch's message.
  sender jsonb, -- The token's when the request was accepted. Null: the workspace's, as it is when the email is sent.
  translations jsonb, -- The token's when the request was accepted, without those of texts that the request had itself.
  metadata jsonb, -- The request's metadata, shown beside the responses of this batch.
  constraint batches_pkey PRIMARY KEY (id),
  constraint batches_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id),
  constraint batches_trigger_token_fkey FOREIGN KEY (trigger_token_id) REFERENCES invite.trigger_tokens(id),
  constraint batches_language_tag CHECK (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'::text AND length(language) <= 35),
  constraint batches_message_length CHECK (octet_length(message) >= 1 AND octet_length(message) <= 65536),
  constraint batches_metadata_object CHECK (jsonb_typeof(metadata) = 'object'::text),
  constraint batches_recipients_positive CHECK (recipients > 0),
  constraint batches_reminder_message_length CHECK (octet_length(reminder_message) >= 1 AND octet_length(reminder_message) <= 65536),
  constraint batches_reminder_subject_length CHECK (length(reminder_subject) >= 1 AND length(reminder_subject) <= 255 AND reminder_subject !~ '[\r\n]'::text),
  constraint batches_reminders_ascending CHECK (cardinality(reminders) <= 5 AND array_ndims(reminders) = 1 AND array_lower(reminders, 1) = 1 AND array_position(reminders, NULL::smallint) IS NULL AND (1 <= ALL (reminders)) AND (365 >= ALL (reminders)) AND reminders[1] < reminders[2] AND reminders[2] < reminders[3] AND reminders[3] < reminders[4] AND reminders[4] < reminders[5]),
  constraint batches_subject_length CHECK (length(subject) >= 1 AND length(subject) <= 255 AND subject !~ '[\r\n]'::text),
  constraint batches_subject_marks CHECK (subject !~ invite.direction_marks()),
  constraint batches_time_zone_length CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- The newest batches of a survey.
CREATE INDEX batches_survey_idx ON invite.batches USING btree (survey_id, accepted_at);
-- The newest batch of a token: its cooldown. By total, because the clock may be set back.
CREATE INDEX batches_trigger_token_idx ON invite.batches USING btree (trigger_token_id, workspace_total);
-- What count_batches takes, and how many recipients check_triggers adds to the totals.
CREATE INDEX batches_uncounted_idx ON invite.batches USING btree (workspace_id) INCLUDE (recipients) WHERE (workspace_total IS NULL);
-- The newest batches of a workspace, and the batch that a total falls in. Each total once.
CREATE UNIQUE INDEX batches_workspace_total_idx ON invite.batches USING btree (workspace_id, workspace_total) WHERE (workspace_total IS NOT NULL);
-- Keeps the batches that still have invitations.
CREATE TRIGGER _500_deleted AFTER DELETE ON invite.batches REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_batches__deleted();

-- Keys of accepted requests: a repeated request gets the batch of the first one. Valid for 24 hours, then pruned.
create table invite.idempotency_keys (
  trigger_token_id uuid not null, -- Each token has keys of its own.
  key text collate "C" not null, -- The header Idempotency-Key as it was sent.
  payload_hash bytea not null, -- SHA-256 of the checked payload, without the secret: the same key with another payload is rejected.
  batch_id uuid not null, -- The batch that a repeated request gets.
  created_at timestamptz not null, -- When the request was accepted.
  constraint idempotency_keys_pkey PRIMARY KEY (trigger_token_id, key),
  constraint idempotency_keys_batch_fkey FOREIGN KEY (batch_id) REFERENCES invite.batches(id) ON DELETE CASCADE,
  constraint idempotency_keys_trigger_token_fkey FOREIGN KEY (trigger_token_id) REFERENCES invite.trigger_tokens(id) ON DELETE CASCADE,
  constraint idempotency_keys_batch_key UNIQUE (batch_id),
  constraint idempotency_keys_key_length CHECK (length(key) >= 1 AND length(key) <= 255),
  constraint idempotency_keys_payload_hash_sha256 CHECK (length(payload_hash) = 32)
);
-- What is to be pruned.
CREATE INDEX idempotency_keys_created_idx ON invite.idempotency_keys USING btree (created_at);

-- reading: its lines are being stored. checked: a person looks at what would happen. sending: its people are being invited, batch by batch. sent: all are. cancelling: its batches are being cancelled. cancelled: they are.
create type invite.upload_state as enum (
  'reading', 'checked', 'sending', 'sent', 'cancelling', 'cancelled'
);

-- What will become of a line. new: it leaves when it is due. resting: later, because its address was invited recently. outside_hours: later, within the hours. capped: later, under a cap. unsent: a rule will end it. Those that follow are not invited. suppressed: on the do-not-email list. declined: wants no email about the survey. repeated: an earlier line has the address. invalid: no recipient can be made of it.
create type invite.line_outcome as enum (
  'new', 'resting', 'outside_hours', 'capped', 'unsent', 'suppressed', 'declined', 'repeated', 'invalid'
);

-- A list of people that a member or the command line invites to a survey. Kept for a day until it is sent, then for 90 days without its lines.
create table invite.uploads (
  id uuid not null default gen_random_uuid(), -- Identifies the upload.
  workspace_id text collate "C" not null, -- The survey's workspace, copied so that its limits need no join.
  survey_id text collate "C" not null, -- The survey that its people are invited to.
  state invite.upload_state not null default 'reading'::invite.upload_state, -- See the type.
  waits_for invite.trigger_outcome, -- Why its next batch was rejected: it is tried again. flood_protection: the workspace's hourly quota. Null: it wasn't.
  name text not null, -- The name of the file, or that the list was pasted.
  columns jsonb not null default '[]'::jsonb, -- Its columns in order: [{"name": heading or "", "as": "email" | "name" | "language" | "time_zone" | "metadata" | null}]. Null: the column is left out.
  digest bytea, -- SHA-256 of its cells, to notice a list that was sent before. Null: it is being read.
  lines integer not null default 0, -- How many lines it has, without the headings and empty ones.
  people integer not null default 0, -- How many of its lines are to be invited, as last checked.
  accepted integer not null default 0, -- How many of them have been invited.
  send_at timestamptz, -- When its emails are due. Null: as soon as they are accepted.
  forecast jsonb, -- The type forecast as JSON: when its emails leave, as last checked. Null: not checked yet.
  created_by text not null, -- Email of the member who uploaded it, or cli.
  sent_by text, -- Email of the member who sent it, or cli. Null: it isn't sent.
  created_at timestamptz not null, -- When it was uploaded.
  checked_at timestamptz, -- When its lines were last checked.
  sent_at timestamptz, -- When a person sent it.
  next_at timestamptz, -- When its next batch is accepted or cancelled. Null: there is none.
  ended_at timestamptz, -- When its last batch was accepted or cancelled.
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id) ON DELETE CASCADE,
  constraint uploads_columns_size CHECK (jsonb_typeof(columns) = 'array'::text AND octet_length(columns::text) <= 65536),
  constraint uploads_digest_sha256 CHECK (length(digest) = 32),
  constraint uploads_lines_range CHECK (lines >= 0 AND lines <= 20000),
  constraint uploads_name_length CHECK (length(name) >= 1 AND length(name) <= 255 AND name !~ '[[:cntrl:]]'::text),
  constraint uploads_next CHECK ((next_at IS NOT NULL) = (state = ANY (ARRAY['sending'::invite.upload_state, 'cancelling'::invite.upload_state])))
);
-- What is to be pruned.
CREATE INDEX uploads_created_idx ON invite.uploads USING btree (created_at);
-- What accept_uploads does next.
CREATE INDEX uploads_next_idx ON invite.uploads USING btree (next_at) WHERE (next_at IS NOT NULL);
-- The uploads of a survey, the newest first.
CREATE INDEX uploads_survey_idx ON invite.uploads USING btree (survey_id, created_at DESC, id);
-- The uploads of a workspace, for their limits, and to erase an address.
CREATE INDEX uploads_workspace_idx ON invite.uploads USING btree (workspace_id, state);

-- The lines of uploads that aren't invited, yet or at all. Accepting a batch deletes its lines; what is left stays for 7 days.
create table invite.upload_lines (
  upload_id uuid not null, -- The upload.
  number integer not null, -- The line of the file, from 1.
  outcome invite.line_outcome not null, -- What will become of it, as last checked.
  cells text[] not null, -- What the line says, so that columns can be given another meaning.
  email text collate "C", -- The address in lower case. Null: the line is invalid.
  recipient jsonb, -- The recipient for accept_triggers. Null: the line is invalid.
  leaves_at timestamptz, -- When its email leaves. Null: as soon as it is accepted, or it doesn't.
  reason invite.unsent_reason, -- Why its email won't leave. Null: it does, or the outcome says it.
  constraint upload_lines_pkey PRIMARY KEY (upload_id, number),
  constraint upload_lines_upload_fkey FOREIGN KEY (upload_id) REFERENCES invite.uploads(id) ON DELETE CASCADE,
  constraint upload_lines_number_positive CHECK (number > 0),
  constraint upload_lines_recipient CHECK ((num_nonnulls(email, recipient) = ANY (ARRAY[0, 2])) AND (email IS NULL) = (outcome = 'invalid'::invite.line_outcome)),
  constraint upload_lines_size CHECK (octet_length(cells::text) <= 65536)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
-- The lines of an upload by what becomes of them, for its page and its next batch.
CREATE INDEX upload_lines_outcome_idx ON invite.upload_lines USING btree (upload_id, outcome, number);

-- The batches of uploads.
create table invite.upload_batches (
  batch_id uuid not null, -- The batch.
  upload_id uuid not null, -- Its upload.
  cancelled_at timestamptz, -- When it was cancelled with its upload. Null: it wasn't.
  constraint upload_batches_pkey PRIMARY KEY (batch_id),
  constraint upload_batches_batch_fkey FOREIGN KEY (batch_id) REFERENCES invite.batches(id) ON DELETE CASCADE,
  constraint upload_batches_upload_fkey FOREIGN KEY (upload_id) REFERENCES invite.uploads(id) ON DELETE CASCADE
);
-- The batches of an upload.
CREATE INDEX upload_batches_upload_idx ON invite.upload_batches USING btree (upload_id);

-- per_hour: how many people a workspace's uploads may invite in an hour. free: how many of them now. They leave a fifth of the quota to its backends.
create type invite.upload_quota as (
  per_hour integer, free integer
);

-- What a survey and its workspace say about when an email may leave. has_choices: recipients of the workspace have chosen something. delay_hours: after so many hours an email is skipped. has_caps: it may have to wait for a place under a cap.
create type invite.survey_rules as (
  survey_id text, workspace_id text, time_zones text[], open_hours int4multirange, closed_days datemultirange, rest_days integer,
  has_choices boolean, delay_hours integer, link_days integer, closes_at timestamptz, activated_at timestamptz, has_caps boolean
);

-- What became of one trigger request. request: its place in the call, from 0. workspace_id, survey_id: the token's; null: it is unknown. batch_id, scheduled_at, status, replayed, deferred, hold_reason, suppressed, resting and leave_by are null unless the outcome is accepted. replayed: the batch was queued by an earlier request with the same idempotency key. deferred: its jobs are left to queue_accepted. hold_reason: why its email waits now; null: it doesn't. suppressed: recipients whom the workspace must not email; null: of an earlier request. resting: recipients who were invited recently, so that they rest now; null: the workspace has no rest, or the token ignores it. leave_by: when what hasn't left is skipped; null: never.
create type invite.trigger_result as (
  outcome invite.trigger_outcome, retry_after_seconds integer, batch_id uuid, scheduled_at timestamptz, status text, replayed boolean,
  deferred boolean, hold_reason invite.hold_reason, suppressed integer, resting integer, leave_by timestamptz, request integer,
  workspace_id text, survey_id text
);

-- What check_triggers says of one request. result: null if it can be accepted, with this workspace_total; otherwise a rejection, or the replay of an earlier batch.
create type invite.trigger_check as (
  request integer, token_id uuid, survey_id text, workspace_id text, recipients integer, workspace_total bigint, records_events boolean,
  hold_reason invite.hold_reason, rules invite.survey_rules, result invite.trigger_result, is_test boolean
);

-- Recipients that a workspace may invite in any rolling hour, and those that it may still invite now.
create type invite.quota as (
  limit integer, remaining integer
);

-- An invitation and when a job is to look at it.
create type invite.job_request as (
  invitation_id bigint, run_at timestamptz
);

-- queued: to be sent at not_before. sending: a worker has claimed it. waiting: due, but held (hold_reason). Ends: sent, failed (see last_error_code), suppressed (the address must not be emailed), cancelled, answered (the recipient has responded), skipped (a rule about when it may leave ended it: see rule).
create type invite.message_status as enum (
  'queued', 'sending', 'waiting', 'sent', 'failed', 'suppressed', 'cancelled', 'answered', 'skipped'
);

-- The ids of invitations of test workspaces: see is_test.
create sequence invite.test_invitation_ids minvalue 4503599627370496 maxvalue 4521191813414911;

-- One recipient of a batch. A row changes only when the recipient responds, the address bounces, or the address is erased. The emails are messages.
create table invite.invitations (
  id bigint not null generated always as identity, -- In the order of acceptance. Public in the relay's metadata: never trust it alone.
  responded_at timestamptz, -- When the recipient responded; nothing is sent after that.
  bounced_at timestamptz, -- When a relay first reported that the address is no mailbox. Null: it didn't.
  erased_at timestamptz, -- When address, name and the relay's words (messages.last_error) were erased. The link, the metadata and the times stay.
  batch_id uuid not null, -- The request that invited this recipient. A trigger keeps it, in place of a foreign key.
  secret uuid not null default gen_random_uuid(), -- The secret of the tracked link: 122 random bits. Never log it. link_token makes the link's token of it.
  workspace_id text collate "C" not null, -- The batch's workspace, copied so that nothing of another workspace is read.
  survey_id text collate "C" not null, -- The batch's survey, copied for links and events.
  email text collate "C", -- The recipient's address. Null once it is erased. It is found by invite.addresses.
  name text, -- The recipient's name, if the request had one. Null once it is erased.
  language text collate "C", -- The recipient's language (BCP 47). Null: the batch's.
  time_zone text collate "C", -- The recipient's time zone. Null: the batch's.
  metadata jsonb, -- This recipient's own metadata; its keys win over the batch's.
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_email_length CHECK (length(email) >= 3 AND length(email) <= 254),
  constraint invitations_erased CHECK (
CASE
    WHEN erased_at IS NULL THEN email IS NOT NULL
    ELSE num_nonnulls(email, name) = 0
END),
  constraint invitations_language_tag CHECK (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'::text AND length(language) <= 35),
  constraint invitations_metadata_object CHECK (jsonb_typeof(metadata) = 'object'::text),
  constraint invitations_name_length CHECK (length(name) <= 255),
  constraint invitations_time_zone_length CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64)
) with (fillfactor=95, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- A batch's invitations.
CREATE INDEX invitations_batch_idx ON invite.invitations USING btree (batch_id);
-- Deletes what belongs to deleted invitations.
CREATE TRIGGER _500_deleted AFTER DELETE ON invite.invitations REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_invitations__deleted();

-- Whom a workspace has invited: what finds an invitation by its address. Its index begins with the workspace, so that what others have in theirs changes nothing here. Rows are only inserted, with the invitation, and deleted, once its address is erased or it is deleted.
create table invite.addresses (
  workspace_id text collate "C" not null, -- The workspace of the invitation.
  email text collate "C" not null, -- The recipient's address, in lower case.
  invitation_id bigint not null, -- The invitation. No foreign key: it would be looked up for each row.
  constraint addresses_pkey PRIMARY KEY (workspace_id, email, invitation_id)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

-- One email to one recipient, and its state machine: queued -> sending -> sent, queued -> waiting -> queued, sending -> queued (try again), and the ends failed, suppressed, cancelled, answered, skipped. A reminder is a message of its own, which is made when the message before it was sent.
create table invite.messages (
  invitation_id bigint not null, -- The recipient. No foreign key, which would lock the invitation for each message: a trigger deletes the messages of deleted invitations.
  due_at timestamptz not null, -- When it was wanted: by the request, or days after the message before it. Rescheduling and reminding now change it.
  not_before timestamptz, -- When a worker may take it: at first due_at, after a failed attempt later. Null once it has ended.
  sweep_at timestamptz, -- When the sweep makes a job for a queued row: shortly before not_before for a reminder, which has none until then; half a minute after the job should have run for all others, in case it was lost; then every minute. infinity: its workspace is a test.
  sent_at timestamptz, -- When the relay accepted it.
  failed_at timestamptz, -- When it last ended as failed or suppressed.
  skipped_at timestamptz, -- When it ended because its recipient had responded, or because a rule said so.
  cancelled_at timestamptz, -- When it was cancelled; nothing more is sent after that. With status sending: a worker already had it, and it may have left.
  unconfirmed_since timestamptz, -- Since when it may have been sent: its first attempt with an unknown outcome. Null: there was none.
  status invite.message_status not null default 'queued'::invite.message_status, -- See the type.
  number smallint not null default 0, -- 0: the invitation. From 1: its reminders.
  message_kind invite.message_kind not null default 
CASE
    WHEN number = 0 THEN 'invitation'::invite.message_kind
    ELSE 'reminder'::invite.message_kind
END, -- What people call a message of this number.
  attempts smallint not null default 0, -- Attempts to send it. A pause of the whole relay counts none.
  is_last boolean not null default true, -- Whether no message of the invitation follows it, so far.
  is_erased boolean not null default false, -- Whether the recipient's address was erased. Here for the index messages_ended_idx.
  records_events boolean not null default false, -- Whether its workspace recorded events when the request was accepted. Here because a trigger's condition can't read another table.
  ignores_rest boolean not null default false, -- Whether a person sends it in spite of a rest.
  rule invite.unsent_reason, -- The rule that moved not_before, or that ended it: what a claim found (departure_reason). Null: none did.
  retried_at timestamptz, -- When a person last sent it again: its deadline counts from here. Null: from due_at.
  worker_id uuid, -- The worker that holds the row while it is sending.
  claim_id uuid, -- The claim that holds the row: a settle of any other claim changes nothing.
  survey_id text collate "C" not null, -- The batch's survey, copied for claims, requeueing and lists.
  last_error_code text, -- Why the last attempt did not succeed: the relay's code or ours.
  last_error text, -- The relay's words, or ours, about the last attempt. Null once erased: they may quote the address.
  relay_message_id text, -- The relay's own id of it.
  constraint messages_pkey PRIMARY KEY (invitation_id, number),
  constraint messages_cancelled CHECK (cancelled_at IS NULL OR (status <> ALL (ARRAY['queued'::invite.message_status, 'waiting'::invite.message_status]))),
  constraint messages_claimed CHECK ((status = 'sending'::invite.message_status) = (claim_id IS NOT NULL) AND (claim_id IS NULL) = (worker_id IS NULL)),
  constraint messages_ended CHECK (not_before IS NOT NULL OR num_nonnulls(sent_at, failed_at, skipped_at, cancelled_at) > 0),
  constraint messages_erased CHECK (NOT is_erased OR num_nonnulls(not_before, last_error) = 0),
  constraint messages_followed CHECK (is_last OR status = 'sent'::invite.message_status),
  constraint messages_number_range CHECK (number >= 0 AND number <= 5),
  constraint messages_pending CHECK ((status = ANY (ARRAY['queued'::invite.message_status, 'sending'::invite.message_status, 'waiting'::invite.message_status])) = (not_before IS NOT NULL)),
  constraint messages_swept CHECK ((status = 'queued'::invite.message_status) = (sweep_at IS NOT NULL))
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
-- What erase_expired takes: invitations that still have an address, by the end of their last message. And what was sent recently, for emails_per_minute.
CREATE INDEX messages_ended_idx ON invite.messages USING btree (is_last, invite.ended_at(sent_at, failed_at, skipped_at, cancelled_at)) WHERE ((not_before IS NULL) AND (NOT is_erased));
-- The emails that failed last, of all surveys.
CREATE INDEX messages_failed_at_idx ON invite.messages USING btree (failed_at) WHERE (status = 'failed'::invite.message_status);
-- What has failed of a survey, for retry_survey.
CREATE INDEX messages_failed_idx ON invite.messages USING btree (survey_id, invitation_id) WHERE (status = 'failed'::invite.message_status);
-- The invitations of a survey by the status of their last message, newest first, for its page.
CREATE INDEX messages_listed_idx ON invite.messages USING btree (survey_id, status, message_kind, invitation_id) WHERE (is_last AND (status <> 'sending'::invite.message_status));
-- What a rule has put off, to be looked at again when the rule changes, and to be listed.
CREATE INDEX messages_ruled_idx ON invite.messages USING btree (survey_id, invitation_id) WHERE ((rule IS NOT NULL) AND (status = 'queued'::invite.message_status));
-- What a lost worker held.
CREATE INDEX messages_sending_idx ON invite.messages USING btree (worker_id) WHERE (status = 'sending'::invite.message_status);
-- The emails that were skipped last, of all surveys.
CREATE INDEX messages_skipped_at_idx ON invite.messages USING btree (skipped_at) WHERE (status = 'skipped'::invite.message_status);
-- What the sweep makes jobs for. With not_before, so that what is due is found without reading rows.
CREATE INDEX messages_sweep_idx ON invite.messages USING btree (sweep_at, not_before) WHERE (status = 'queued'::invite.message_status);
-- What comes next in a test workspace, where nothing is swept.
CREATE INDEX messages_tested_idx ON invite.messages USING btree (survey_id, not_before, invitation_id) WHERE ((status = 'queued'::invite.message_status) AND (sweep_at = 'infinity'::timestamp with time zone));
-- What an event of the relay may still confirm, for confirm_invitations.
CREATE INDEX messages_unconfirmed_idx ON invite.messages USING btree (unconfirmed_since) WHERE ((status = 'failed'::invite.message_status) AND (last_error_code = 'unconfirmed'::text));
-- The waiting messages of a survey, the oldest first: what its rules end while it is held.
CREATE INDEX messages_waiting_due_idx ON invite.messages USING btree (survey_id, due_at) WHERE (status = 'waiting'::invite.message_status);
-- What to requeue when a survey becomes sendable.
CREATE INDEX messages_waiting_idx ON invite.messages USING btree (survey_id, invitation_id) WHERE (status = 'waiting'::invite.message_status);
-- Nothing sweeps the messages of test workspaces: begin_test_step looks at them when their time comes.
CREATE TRIGGER _100_test BEFORE INSERT OR UPDATE ON invite.messages FOR EACH ROW WHEN (new.sweep_at IS NOT NULL AND invite.is_test(new.invitation_id)) EXECUTE FUNCTION invite.tg_messages__test();
-- Frees the place under caps that the message was promised.
CREATE TRIGGER _500_released AFTER UPDATE ON invite.messages FOR EACH ROW WHEN (old.rule = 'capped'::invite.unsent_reason AND old.status = 'queued'::invite.message_status AND new.status <> 'sending'::invite.message_status AND (new.status <> 'queued'::invite.message_status OR new.rule IS DISTINCT FROM 'capped'::invite.unsent_reason)) EXECUTE FUNCTION invite.tg_messages__released();
-- Records that the message will not be sent.
CREATE TRIGGER _700_event AFTER UPDATE ON invite.messages FOR EACH ROW WHEN (new.records_events AND (new.status = ANY (ARRAY['failed'::invite.message_status, 'suppressed'::invite.message_status, 'cancelled'::invite.message_status, 'skipped'::invite.message_status])) AND new.status <> old.status) EXECUTE FUNCTION invite.tg_messages__event();

-- What a simulated recipient, or the relay on its behalf, does with an email.
create type invite.test_behavior as enum (
  'delivered', 'hard_bounce', 'complaint', 'unsubscribes', 'opens', 'responds'
);

-- The outbox of test workspaces: what would have left, as a relay would have got it.
create table invite.test_emails (
  id bigint not null generated always as identity, -- In the order of sending.
  workspace_id text collate "C" not null, -- The test workspace.
  invitation_id bigint not null, -- The invitation. A trigger deletes the emails of deleted invitations.
  message_number smallint not null, -- 0: the invitation. From 1: its reminders.
  sent_at timestamptz not null, -- When it left, by the clock of the workspace.
  email jsonb not null, -- {to, from, reply_to, subject, text, html, headers, links: {survey, unsubscribe}}.
  constraint test_emails_pkey PRIMARY KEY (id),
  constraint test_emails_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint test_emails_message_key UNIQUE (invitation_id, message_number)
);
-- The emails of a test workspace, newest first.
CREATE INDEX test_emails_workspace_idx ON invite.test_emails USING btree (workspace_id, id);

-- What simulated recipients will do, and when.
create table invite.test_plans (
  id bigint not null generated always as identity, -- In the order of planning.
  workspace_id text collate "C" not null, -- The test workspace.
  at timestamptz not null, -- When, by the clock of the workspace.
  invitation_id bigint not null, -- Who.
  behavior invite.test_behavior not null, -- What.
  score smallint, -- What they answer to each question that takes a number. Null: they don't respond.
  constraint test_plans_pkey PRIMARY KEY (id),
  constraint test_plans_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint test_plans_score_range CHECK (score >= 0 AND score <= 10)
);
-- What goes with an invitation that is deleted or erased.
CREATE INDEX test_plans_invitation_idx ON invite.test_plans USING btree (invitation_id);
-- What comes next in a test workspace.
CREATE INDEX test_plans_workspace_idx ON invite.test_plans USING btree (workspace_id, at, id);

-- Requests to move the clock of a test workspace, and what happened. They are deleted after a day.
create table invite.test_advances (
  id uuid not null default gen_random_uuid(), -- Identifies the request.
  workspace_id text collate "C" not null, -- The test workspace.
  since timestamptz, -- What its clock said when the request was begun. Null: it waits for others.
  until timestamptz, -- To what time. Null: by moves_by or, without it, to the next time at which something happens.
  moves_by interval, -- By how much, from when it is begun: those before it have then moved the clock.
  requested_at timestamptz not null default clock_timestamp(), -- When it was asked for, by the real clock.
  ended_at timestamptz, -- When it ended, by the real clock. Null: it hasn't.
  counts jsonb not null default '{}'::jsonb, -- How often each type of event happened.
  happened jsonb not null default '[]'::jsonb, -- The first 1,000 events, in order: [{type, at, survey_id, batch_id, invitation_id, email, message_number, code}].
  constraint test_advances_pkey PRIMARY KEY (id),
  constraint test_advances_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE
);
-- The advances of a workspace that have not ended: one after the other.
CREATE INDEX test_advances_open_idx ON invite.test_advances USING btree (workspace_id, requested_at) WHERE (ended_at IS NULL);
-- The last advance of a workspace, and those that are a day old.
CREATE INDEX test_advances_workspace_idx ON invite.test_advances USING btree (workspace_id, requested_at);

-- Whether an email may leave. never: it ends as soon as a worker looks at it. held: nobody knows until when; somebody must act. later: by itself, at a time that departures knows, or at once. leave: now. See verdict_of.
create type invite.verdict as enum (
  'never', 'held', 'later', 'leave'
);

-- When a message has to have left, and with which reason it is skipped after that.
create type invite.deadline as (
  at timestamptz, reason invite.unsent_reason
);

-- Until when a rule makes a message wait. until: infinity if nobody knows.
create type invite.wait as (
  until timestamptz, reason invite.unsent_reason
);

-- A message of a forecast, as far as it has come. planned_at: when it would leave without rules. look_at: when a worker looks at it next. contact: the same for all messages that may rest for each other, and left_at when the last of them left, or may have left. is_asked: whether the forecast is about it. promised_at, the domains and is_small: as place, where the workspace has caps. is_capped: a cap lets it leave later. In the end it has leaves_at, or the reason why it doesn't leave.
create type invite.pending_message as (
  invitation_id bigint, contact bigint, due_at timestamptz, planned_at timestamptz, look_at timestamptz, left_at timestamptz,
  rests_at_most_until timestamptz, responded_at timestamptz, unconfirmed_since timestamptz, leaves_at timestamptz, rest_days integer,
  number smallint, is_asked boolean, is_held boolean, is_suppressed boolean, has_declined boolean, is_rejected boolean,
  reason invite.unsent_reason, deadline invite.deadline, time_zones text[], promised_at timestamptz, sender_domain text collate "C",
  recipient_domain text collate "C", is_small boolean, is_capped boolean
);

-- What will leave when. looked_at: how many pending emails there are, counted up to a limit. skipped: how many of them a rule ends. delayed: how many leave later than planned, and the last of them delayed_until. seconds_at_least: how long the relay's rate makes those wait that may leave at once; null: it has none. bars: [{"at", "local", "emails"}], those that leave in each unit (hour or day) of a time zone. reasons: [{"reason", "emails"}], those that don't leave.
create type invite.forecast as (
  looked_at integer, at_once integer, later integer, skipped integer, delayed integer, delayed_until timestamptz, seconds_at_least integer,
  unit text, time_zone text, bars jsonb, reasons jsonb
);

-- What workers can send. is_alive: one is running. is_rate_used: all that the relay's rate allows now is taken. late_send_hours: what is overdue by more is skipped; null: no limit. paused_until: until when the relay takes nothing, and code why; null: it isn't paused. rate: emails a second; null: no limit.
create type invite.sending as (
  is_alive boolean, is_rate_used boolean, late_send_hours integer, paused_until timestamptz, relay text, code text, rate numeric
);

-- How something can be stuck, in the view broken_invariants. queued_overdue: due for a minute, and no worker has claimed it. queued_put_off: likewise, and nothing will look at it soon. waiting_sendable: its survey may send. sending_without_worker: no worker that is running holds it. event_unpublished: written and committed for a minute, and no reader sees it. webhook_overdue: the endpoint should have been called a minute ago, and no worker is at it.
create type invite.broken_invariant as enum (
  'queued_overdue', 'queued_put_off', 'waiting_sendable', 'sending_without_worker', 'event_unpublished', 'webhook_overdue'
);

-- What happened to an invitation, for the view invitation_history. Those that begin with relay_ are the relay's reports: relay_ and the relay_event_type.
create type invite.history_event as enum (
  'accepted', 'invitation_due', 'invitation_sent', 'reminder_due', 'reminder_sent', 'response_recorded', 'failed', 'suppressed',
  'cancelled', 'erased', 'unsubscribed', 'relay_delivered', 'relay_soft_bounce', 'relay_hard_bounce', 'relay_complaint', 'relay_unsubscribe'
);

-- cancelled: messages that will not be sent; reminders: how many of those are reminders of sent invitations. already_sending: with a worker or the relay, or unconfirmed: they may still arrive, and nothing follows them. more: the step was full, call again.
create type invite.cancel_result as (
  cancelled integer, reminders integer, already_sending integer, more boolean
);

-- queued: failed messages that will be sent again. left_alone: failed ones that will not, because their recipient has responded or they were cancelled. next_id: the step was full, call again with after_id => next_id; null: that was all.
create type invite.retry_result as (
  queued integer, left_alone integer, next_id bigint
);

-- reminded: invitations whose next reminder is due now. left_alone: the others of those looked at, see remindable. next_id: the step was full, call again with after_id => next_id; null: that was all.
create type invite.remind_result as (
  reminded integer, left_alone integer, next_id bigint
);

-- erased: invitations whose address is gone. cancelled: messages that were pending and will not be sent. still_sending: with a worker or the relay; nothing follows them, and they are not erased yet: call again. responses: of which the answers are gone too.
create type invite.erase_result as (
  erased integer, cancelled integer, still_sending integer, responses integer
);

-- One row for each running worker. When heartbeat_at or jobs_taken_at stops, it is lost, and the others recover what it held.
create table invite.workers (
  id uuid not null, -- Chosen by the process when it starts.
  pool_id text, -- graphile-worker's name for the process, as in jobs.locked_by.
  hostname text not null, -- The machine that the process runs on, for people.
  pid integer not null, -- The process id on that machine, for people.
  started_at timestamptz not null default clock_timestamp(), -- When the worker registered.
  heartbeat_at timestamptz not null default clock_timestamp(), -- When the worker was last heard.
  jobs_taken_at timestamptz not null default clock_timestamp(), -- When the worker last took a job, or was told that there is none.
  rate numeric, -- RELAY_RATE: messages a second to its relay, by all workers together. Null: no limit.
  late_send_hours integer, -- LATE_SEND_HOURS: what is overdue by more is skipped. Null: no limit.
  relay text collate "C", -- The relay that it sends to, as in the setting RELAY. Null: an outbox, which has no condition.
  constraint workers_pkey PRIMARY KEY (id)
);

-- What became of one attempt at a message; settle_invitations says what follows from each.
create type invite.delivery_outcome as enum (
  'accepted', 'retry', 'unknown', 'unconfirmed', 'config', 'released', 'suppressed', 'rejected'
);

-- A message that a settle has locked, with the result of its attempt.
create type invite.settlement as (
  id bigint, number smallint, attempts smallint, message_kind invite.message_kind, outcome invite.delivery_outcome, not_before timestamptz,
  cancelled_at timestamptz, code text, detail text, relay_message_id text, retry_after_seconds integer
);

-- What a worker needs to render and send one claimed message. page_translation: as the function of that name. question: as email_question; null: its email asks none. reminder_subject, reminder_message: null unless it is a reminder with its own. sender: the workspace's with the batch's over it; null: neither has one. language: the recipient's; request_language: the batch's. translation: as nearest_translation. wording: the workspace's.
create type invite.claimed_invitation as (
  id bigint, claim_id uuid, message_kind invite.message_kind, message_number smallint, attempts smallint, email text collate "C", name text,
  link_token text, batch_id uuid, subject text, message text, survey_id text, survey_title text, page_translation jsonb,
  survey_public_url text, workspace_name text, reminder_subject text, reminder_message text, sender jsonb, language text,
  request_language text, survey_language text, subject_language text, message_language text, translation jsonb,
  unconfirmed_since timestamptz, question jsonb, wording text
);

-- The queue at one moment. due: messages that should have left by now. overdue_seconds: for how long the oldest of them; 0 if there is none. workers: those with a recent heartbeat.
create type invite.queue_state as (
  due bigint, overdue_seconds double precision, waiting bigint, sending bigint, workers bigint
);

-- busy: it asked for a pause (Retry-After). fault: its key, the sender or the quota is wrong, or it rejects what three workspaces send; single messages probe it.
create type invite.relay_condition as enum (
  'healthy', 'busy', 'fault'
);

-- The condition of each relay, shared by all workers. A relay without a row is healthy.
create table invite.relays (
  id text collate "C" not null, -- The relay's name, as in the setting RELAY.
  condition invite.relay_condition not null default 'healthy'::invite.relay_condition, -- Whether the relay takes messages: see the type.
  since timestamptz not null default clock_timestamp(), -- Since when the relay is in its condition.
  paused_until timestamptz, -- Nothing is sent before; in a fault, one probe is sent then.
  probing boolean not null default false, -- Whether a probe has been sent after the last pause for a fault.
  code text, -- Code of the reply that led to the condition.
  detail text, -- Text of that reply, for people.
  faults integer not null default 0, -- Faults since the relay last took a message: the pause doubles with each.
  rejected_in_a_row integer not null default 0, -- Messages rejected for what they are, not for their recipient, since the last one that was taken. Counted while that tells anything new.
  rejected_workspaces text[] not null default '{}'::text[], -- The last three workspaces with such messages, newest last. Three make a fault of the relay; fewer are a fault of what they send.
  allowance numeric not null default 0, -- Messages that RELAY_RATE allows at allowance_at: a token bucket that holds one second's worth.
  allowance_at timestamptz not null default clock_timestamp(), -- When the allowance was last computed.
  constraint relays_pkey PRIMARY KEY (id)
) with (fillfactor=50);

-- A message that a claim has locked, with the verdict about it. until: when it is looked at again, if a rule says so. is_unconfirmed: it may have left. has_place: it had been promised a place under caps for now. Null: none counts it.
create type invite.due_message as (
  id bigint, number smallint, reason invite.unsent_reason, until timestamptz, is_unconfirmed boolean, batch_id uuid, secret uuid,
  email text collate "C", name text, language text collate "C", deadline invite.deadline, has_place boolean
);

-- How many messages may be sent now. probe_id: the only invitation that may be sent, as the probe after a fault.
create type invite.admission as (
  allowed integer, probe_id bigint
);

-- What a relay reports about a message. hard_bounce, complaint and unsubscribe suppress the address; the others are only recorded.
create type invite.relay_event_type as enum (
  'hard_bounce', 'soft_bounce', 'complaint', 'delivered', 'unsubscribe'
);

-- What a relay has reported about a message: one row an event, however often it is reported. One that fits no invitation is dropped after a day.
create table invite.relay_events (
  relay text collate "C" not null, -- The relay that reported it.
  event_id text collate "C" not null, -- The relay's id of the event, or a digest of what identifies it: a repeat has the same.
  type invite.relay_event_type, -- What happened. Null: another type; its id is kept, because a signature may cover no more and must work only once.
  occurred_at timestamptz not null, -- When it happened, by the relay's clock.
  recorded_at timestamptz not null default clock_timestamp(), -- When it was reported here.
  invitation_id bigint, -- The invitation it is about. Null: none was found yet.
  given_invitation_id bigint, -- The invitation's id in the relay's metadata; maybe another installation's: see find_event_invitation.
  relay_message_id text, -- The relay's id of the message.
  email text collate "C", -- The address as the relay reports it. Null once it is erased.
  detail text, -- The relay's words, without web addresses: they could hold a tracked link.
  constraint relay_events_pkey PRIMARY KEY (relay, event_id),
  constraint relay_events_invitation_fkey FOREIGN KEY (invitation_id) REFERENCES invite.invitations(id) ON DELETE CASCADE,
  constraint relay_events_detail_length CHECK (length(detail) <= 500),
  constraint relay_events_event_id_length CHECK (length(event_id) >= 1 AND length(event_id) <= 255),
  constraint relay_events_unused CHECK (type IS NOT NULL OR num_nonnulls(invitation_id, given_invitation_id, relay_message_id, email) = 0)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- What was reported about an invitation.
CREATE INDEX relay_events_invitation_idx ON invite.relay_events USING btree (invitation_id) WHERE (invitation_id IS NOT NULL);
-- What prune_retained takes, and what was reported since a time.
CREATE INDEX relay_events_matched_idx ON invite.relay_events USING btree (recorded_at) WHERE (invitation_id IS NOT NULL);
-- Events that came before their message was settled, for match_relay_events.
CREATE INDEX relay_events_unmatched_idx ON invite.relay_events USING btree (recorded_at) WHERE (invitation_id IS NULL);

-- What came back about an invitation's emails, from what says least to what says most: pages show the last one that an invitation has.
create type invite.invitation_outcome as enum (
  'soft_bounced', 'delivered', 'unsubscribed', 'bounced', 'responded', 'complained'
);

-- What came back about an invitation: by the relay's events, its unsubscribe link, or a response. One row a kind, its first time. Apart from invitations, where each change of a row writes six indexes. It has no addresses, and stays when relay_events go.
create table invite.invitation_outcomes (
  invitation_id bigint not null, -- The invitation.
  outcome invite.invitation_outcome not null, -- What came back.
  survey_id text collate "C" not null, -- The invitation's survey, copied for its lists and numbers.
  at timestamptz not null, -- When it happened; a relay's events by its clock.
  constraint invitation_outcomes_pkey PRIMARY KEY (invitation_id, outcome),
  constraint invitation_outcomes_invitation_fkey FOREIGN KEY (invitation_id) REFERENCES invite.invitations(id) ON DELETE CASCADE
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- What the guard counts of a survey: its latest bounces and complaints.
CREATE INDEX invitation_outcomes_guard_idx ON invite.invitation_outcomes USING btree (survey_id, at) WHERE (outcome = ANY (ARRAY['bounced'::invite.invitation_outcome, 'complained'::invite.invitation_outcome]));
-- The invitations of a survey by outcome, newest first, and their numbers.
CREATE INDEX invitation_outcomes_survey_idx ON invite.invitation_outcomes USING btree (survey_id, outcome, invitation_id);
-- Records the outcomes as events.
CREATE TRIGGER _700_event AFTER INSERT ON invite.invitation_outcomes REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_invitation_outcomes__event();

-- Which emails a cap counts: all of a workspace; those that it sends from a domain; those to a domain; those of all workspaces to a domain (shared).
create type invite.cap_scope as enum (
  'workspace', 'sender', 'recipient', 'shared'
);

-- How many emails of a workspace may leave in a clock hour and in a day of UTC. The lower of the operator's number and the owners' own holds. Claims lock the row while they give places.
create table invite.caps (
  workspace_id text collate "C" not null, -- The workspace.
  scope invite.cap_scope not null, -- Which of its emails are counted. Those of all workspaces have shared_caps.
  domain text collate "C" not null default ''::text, -- The domain that it sends from, or to, in lower case. Empty: all of its email.
  per_hour integer, -- Set by the operator. Null: no limit.
  per_day integer, -- Set by the operator. Null: no limit.
  own_per_hour integer, -- Set by the owners of the workspace. Null: no limit.
  own_per_day integer, -- Set by the owners of the workspace. Null: no limit.
  earned_per_day integer, -- What the domain has earned: 100 at first, tripled after two days that used half of it without a warning of the guard (earn_caps). Null: nothing is to be earned.
  earned_days smallint not null default 0, -- How many such days there were since it was last tripled.
  earned_until date, -- The first day of UTC that earn_caps has not judged yet.
  constraint caps_pkey PRIMARY KEY (workspace_id, scope, domain),
  constraint caps_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint caps_domain_form CHECK (
CASE
    WHEN scope = 'workspace'::invite.cap_scope THEN domain = ''::text
    ELSE invite.is_domain(domain)
END),
  constraint caps_earned_sender CHECK (earned_per_day IS NULL OR scope = 'sender'::invite.cap_scope),
  constraint caps_earned_until CHECK ((earned_per_day IS NULL) = (earned_until IS NULL)),
  constraint caps_own_per_day_range CHECK (own_per_day >= 1 AND own_per_day <= 10000000),
  constraint caps_own_per_hour_range CHECK (own_per_hour >= 1 AND own_per_hour <= 10000000),
  constraint caps_per_day_range CHECK (per_day >= 1 AND per_day <= 10000000),
  constraint caps_per_hour_range CHECK (per_hour >= 1 AND per_hour <= 10000000),
  constraint caps_scope_own CHECK (scope <> 'shared'::invite.cap_scope),
  constraint caps_some CHECK (num_nonnulls(per_hour, per_day, own_per_hour, own_per_day, earned_per_day) > 0)
);

-- How many emails of all workspaces together may leave to a domain in a clock hour and in a day of UTC. In each hour, workspaces have equal shares of it, and what one leaves is free for the others.
create table invite.shared_caps (
  domain text collate "C" not null, -- The recipients' domain, in lower case.
  per_hour integer, -- Null: no limit.
  per_day integer, -- Null: no limit.
  constraint shared_caps_pkey PRIMARY KEY (domain),
  constraint shared_caps_domain_form CHECK (invite.is_domain(domain)),
  constraint shared_caps_per_day_range CHECK (per_day >= 1 AND per_day <= 10000000),
  constraint shared_caps_per_hour_range CHECK (per_hour >= 1 AND per_hour <= 10000000),
  constraint shared_caps_some CHECK (num_nonnulls(per_hour, per_day) > 0)
);

-- The places that were given under a cap, by clock hour: only emails that a cap counts write here. used decides what leaves; the others are the plan, and may be wrong for a while without harm. Kept for 40 days.
create table invite.cap_slots (
  workspace_id text collate "C" not null, -- Whose emails.
  scope invite.cap_scope not null, -- The cap's.
  domain text collate "C" not null, -- The cap's.
  slot timestamptz not null, -- When the hour begins.
  large integer not null default 0, -- Places given to emails of batches of more than ten recipients, used or not.
  small integer not null default 0, -- Places given to the others. A tenth of the cap is kept for them.
  lost integer not null default 0, -- Places of large batches that nobody got, because their minute was over: what is left of an hour gets only its part.
  used integer not null default 0, -- Attempts to send.
  constraint cap_slots_pkey PRIMARY KEY (workspace_id, scope, domain, slot),
  constraint cap_slots_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE
);
-- What the workspaces have of a shared cap.
CREATE INDEX cap_slots_shared_idx ON invite.cap_slots USING btree (domain, slot) WHERE (scope = 'shared'::invite.cap_scope);
-- What is old.
CREATE INDEX cap_slots_slot_idx ON invite.cap_slots USING btree (slot);

-- Promised places that a message won't use: a trigger notes them without a lock, and the next claim takes them off cap_slots.
create table invite.cap_releases (
  id bigint not null generated always as identity, -- In the order of writing.
  workspace_id text collate "C" not null, -- Whose message.
  not_before timestamptz not null, -- The time that the message was promised.
  sender_domain text collate "C", -- The domain that it would have been sent from. Null: that of the installation.
  recipient_domain text collate "C" not null, -- The domain of its recipient.
  is_small boolean not null, -- Whether it counted as of a small batch.
  constraint cap_releases_pkey PRIMARY KEY (id),
  constraint cap_releases_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE
);
-- What a claim takes.
CREATE INDEX cap_releases_workspace_idx ON invite.cap_releases USING btree (workspace_id, id);

-- A message that looks for a place under caps at look_at. leave_by: its deadline. promised_at: the time that it was promised, if it was. zone: the time zone of its hours; null: it has none. is_small: of a batch of at most ten recipients, or tried before. is_forced: it leaves in any case, and is counted. plan_places adds until: when it may leave; infinity: not within a year.
create type invite.place as (
  invitation_id bigint, number smallint, look_at timestamptz, leave_by timestamptz, promised_at timestamptz, until timestamptz,
  sender_domain text collate "C", recipient_domain text collate "C", zone text, is_small boolean, is_forced boolean
);

-- When the guard warns of a workspace, and when it pauses its email. They hold for each workspace of the installation. No row: the guard is off.
create table invite.guard_limits (
  outcome invite.invitation_outcome not null, -- What is counted: bounced or complained.
  hours smallint not null, -- Of the emails sent in so many last hours.
  warn_share numeric not null, -- From this share of them on, the owners and the operator are warned.
  pause_share numeric not null, -- From this share of them on, the workspace's email is held.
  min_sent integer not null, -- Of fewer emails, a share says nothing.
  min_reports integer not null, -- Fewer reports are an accident.
  constraint guard_limits_pkey PRIMARY KEY (outcome, hours),
  constraint guard_limits_hours_range CHECK (hours >= 1 AND hours <= 168),
  constraint guard_limits_minimums CHECK (min_sent > 0 AND min_reports > 0),
  constraint guard_limits_outcome CHECK (outcome = ANY (ARRAY['bounced'::invite.invitation_outcome, 'complained'::invite.invitation_outcome])),
  constraint guard_limits_shares CHECK (0::numeric < warn_share AND warn_share <= pause_share AND pause_share <= 1::numeric)
);

-- A limit of the guard, as a workspace stands to it. sent: emails within these hours; reports: how many of them have bounced or were reported as spam. verdict: few (too few to judge), good, warn or pause.
create type invite.guard_figure as (
  outcome invite.invitation_outcome, hours smallint, sent bigint, reports bigint, verdict text
);

-- A submitted response.
create table invite.responses (
  id bigint not null generated always as identity, -- In the order of submission.
  invitation_id bigint, -- The invitation it came through, which has no other; null for a response without a link. No foreign key: the response may outlive it.
  submitted_at timestamptz not null, -- When the response was recorded.
  erased_at timestamptz, -- When its answers and metadata were erased for the person who gave them. Null: they weren't.
  questions_version integer not null default 1, -- Which questions were answered: see questions_as_asked.
  survey_id text collate "C" not null, -- The survey that was responded to.
  trigger_token_id uuid, -- The token whose request invited the respondent; null for a response without a link. No foreign key, as for the invitation.
  answers jsonb not null, -- The answer to each question, by the question's id.
  metadata jsonb, -- The metadata of batch and invitation at submission; the invitation's keys win.
  language text collate "C", -- The language (BCP 47) in which the questions were shown. Null: who recorded it didn't say.
  clicked_in_email text collate "C", -- The id of the question whose answer began with a click in the email. Null: none. The recipient may have changed the answer before submitting it.
  constraint responses_pkey PRIMARY KEY (id),
  constraint responses_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id),
  constraint responses_invitation_key UNIQUE (invitation_id),
  constraint responses_answers_object CHECK (jsonb_typeof(answers) = 'object'::text),
  constraint responses_language_tag CHECK (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'::text AND length(language) <= 35)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- The responses of a survey by metadata_terms. Hashes, so that neither long values nor many different ones make it large.
CREATE INDEX responses_metadata_idx ON invite.responses USING gin (invite.metadata_terms(survey_id, metadata)) WHERE (metadata IS NOT NULL);
-- The newest responses of a survey, and those of a period.
CREATE INDEX responses_survey_idx ON invite.responses USING btree (survey_id, submitted_at DESC, id DESC);
-- Counts the answers of new responses.
CREATE TRIGGER _500_added AFTER INSERT ON invite.responses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_responses__counted();
-- Counts the answers of changed responses again.
CREATE TRIGGER _500_changed AFTER UPDATE ON invite.responses REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_responses__counted();
-- Adds the comments of new responses to what finds them.
CREATE TRIGGER _500_comments_added AFTER INSERT ON invite.responses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_responses__comments();
-- Replaces what finds the comments of changed responses.
CREATE TRIGGER _500_comments_changed AFTER UPDATE ON invite.responses REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_responses__comments();
-- Deletes what finds the comments of deleted responses.
CREATE TRIGGER _500_comments_removed AFTER DELETE ON invite.responses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_responses__comments();
-- Subtracts the answers of deleted responses.
CREATE TRIGGER _500_removed AFTER DELETE ON invite.responses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_responses__counted();
-- Records the submitted response as an event.
CREATE TRIGGER _700_event AFTER INSERT ON invite.responses FOR EACH ROW EXECUTE FUNCTION invite.tg_responses__event();
-- Notes low scores for members.
CREATE TRIGGER _700_low_scores AFTER INSERT ON invite.responses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_responses__low_scores();

-- What recipients chose on the unsubscribe page instead of unsubscribing. Erasing the address deletes its rows.
create table invite.recipient_choices (
  workspace_id text collate "C" not null, -- The workspace that invited them.
  email text collate "C" not null, -- The recipient's address, in lower case.
  survey_id text collate "C" not null default ''::text, -- No email about this survey. Empty: at most one invitation in 30 days.
  chosen_at timestamptz not null default clock_timestamp(), -- When they chose it.
  constraint recipient_choices_pkey PRIMARY KEY (workspace_id, email, survey_id),
  constraint recipient_choices_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE
);

-- What recipients can choose instead of unsubscribing.
create type invite.recipient_choice as enum (
  'once_a_month', 'not_this_survey'
);

-- How often each answer was given, and how many invitations were sent, by quarter hour and by day: the numbers of Results. Together with result_changes it is exact at any moment. Quarter hours, because in every time zone a day begins with one. A row for all days together begins at -infinity.
create table invite.result_counts (
  survey_id text collate "C" not null, -- The survey.
  whole_day boolean not null, -- Whether it is about a day (UTC) or all days, or a quarter hour.
  starts_at timestamptz not null, -- When the day or quarter hour begins; -infinity: all days.
  question text collate "C" not null, -- The question's id; empty: the response or invitation itself.
  value text collate "C" not null, -- The number or choice (counted_answers); a space: an answer of several choices as a whole; empty: any other answer, or a text. Of the response itself: invitation or direct. Of an invitation, by the time it was sent: sent; responded, once it has a response; bounced, if it bounced and has none. Of a reminder, by its own time: reminded.
  number bigint not null, -- How many responses or invitations of that time have it.
  constraint result_counts_pkey PRIMARY KEY (survey_id, whole_day, starts_at, question, value)
);

-- What isn't in result_counts yet: written with what it counts, so that responses don't wait for each other, and added up every minute.
create table invite.result_changes (
  id bigint not null generated always as identity, -- In the order of the changes.
  survey_id text collate "C" not null, -- The survey.
  starts_at timestamptz not null, -- The quarter hour that it counts in.
  question text collate "C" not null, -- As in result_counts.
  value text collate "C" not null, -- As in result_counts.
  number bigint not null, -- How many more; below 0: fewer.
  constraint result_changes_pkey PRIMARY KEY (id)
);
-- What one survey's numbers still lack. Else a page would read what other workspaces have changed, and what is deleted and not vacuumed yet.
CREATE INDEX result_changes_survey_idx ON invite.result_changes USING btree (survey_id, id);

-- What the survey page shows. state is closed for a disabled survey or suspended workspace. public_url: the product's own page. link: none, required (there is none, and the survey takes no responses without), open, expired, responded or unknown. language: the chosen one or the recipient's; request_language: the batch's. translation: as nearest_translation. accent_color, logo_url, logo_alt: the workspace's. is_full: it is closed, and has as many responses as its limit. invitation_id: the link's, for the log. languages: that it can be shown in, the survey's first. wording: the workspace's.
create type invite.survey_page as (
  survey_id text, workspace_name text, title text, state invite.survey_state, questions jsonb, public_url text, link text,
  questions_version integer, thanks text, language text, request_language text, survey_language text, translated boolean, translation jsonb,
  accent_color text, is_full boolean, workspace_id text, invitation_id bigint, languages text[], wording text, button_label text,
  button_url text, logo_url text, logo_alt text
);

-- outcome: recorded; already_responded (response_id is the earlier response); unknown_invitation; link_expired; survey_closed, from record_response only by its date or response limit; and from submit_response survey_not_open, link_required, unknown_survey.
create type invite.response_result as (
  outcome text, response_id bigint
);

-- A statistic of this many responses, with the ends of its 95 % interval.
create type invite.estimate as (
  value double precision, low double precision, high double precision, responses bigint
);

-- Why a workspace must not email an address.
create type invite.suppression_reason as enum (
  'unsubscribe', 'hard_bounce', 'complaint', 'manual'
);

-- Addresses that a workspace must not email. Looked up when a message is about to be sent.
create table invite.suppressions (
  workspace_id text collate "C" not null, -- The workspace that must not email the address; others may.
  email text collate "C" not null, -- The address, in lower case.
  reason invite.suppression_reason not null, -- Why. The recipient can take back unsubscribe, and nothing else.
  created_at timestamptz not null default clock_timestamp(), -- When the address was suppressed.
  added_by text, -- Email of the member who added it. Null: the recipient, the relay, the command line or the product did.
  constraint suppressions_pkey PRIMARY KEY (workspace_id, email),
  constraint suppressions_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint suppressions_email_folded CHECK (email = lower(email))
);
-- The newest suppressions of a workspace.
CREATE INDEX suppressions_workspace_idx ON invite.suppressions USING btree (workspace_id, created_at);

-- The values of the metadata that find an invitation. Filled by index_recipients a minute later, and only inserted into: an index of invitations would be written three times a message.
create table invite.search_terms (
  term bigint not null, -- The term of a value in the workspace (terms_of).
  invitation_id bigint not null, -- The invitation that has it.
  constraint search_terms_pkey PRIMARY KEY (term, invitation_id)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

-- What a search finds. The pages of the console are found by the server.
create type invite.search_group as enum (
  'person', 'invitation', 'response', 'survey'
);

-- Whom a workspace has invited, each address once: what finds a person by any part of name or address. index_recipients writes a row when an address is new or its name changes. Deleted with the last of its addresses (renew_persons).
create table invite.persons (
  workspace_id text collate "C" not null, -- The workspace.
  email text collate "C" not null, -- The address, in lower case.
  name text collate "C", -- The latest name, folded, its words separated by a space. Null: none.
  constraint persons_pkey PRIMARY KEY (workspace_id, email)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- Persons by parts of name and address; one workspace's beside each other.
CREATE INDEX persons_keys_idx ON invite.persons USING gin (invite.person_keys(workspace_id, email, name)) WITH (gin_pending_list_limit='1024');

-- What finds a response by the words of its comments. Written, changed and deleted with the response, by triggers.
create table invite.comments (
  workspace_id text collate "C" not null, -- The workspace of its survey.
  submitted_at timestamptz not null, -- When it was submitted.
  response_id bigint not null, -- The response. No foreign key: it would be looked up for each row.
  words text collate "C" not null, -- Its comments, folded, each word after a space (comment_words).
  constraint comments_pkey PRIMARY KEY (workspace_id, submitted_at, response_id)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- Comments by the beginnings of their words.
CREATE INDEX comments_keys_idx ON invite.comments USING gin (invite.comment_keys(workspace_id, submitted_at, words)) WITH (gin_pending_list_limit='1024');

-- How far index_recipients has come. One row.
create table invite.search_progress (
  one_row boolean not null default true, -- Always true: there is one row.
  indexed_to bigint not null default 0, -- The last invitation that is in search_terms and persons. Lower ones, from queue_progress.read_from on, may still be committed, and are then added.
  constraint search_progress_pkey PRIMARY KEY (one_row),
  constraint search_progress_one_row CHECK (one_row)
);

-- What the unsubscribe page shows. can_resubscribe: false after a bounce or a complaint. title: the survey's, and its language. choices: what the recipient has chosen instead. The ids are for the log. accent_color, wording, logo_url, logo_alt: the workspace's.
create type invite.unsubscribe_page as (
  workspace_name text, email text collate "C", unsubscribed boolean, can_resubscribe boolean, language text, request_language text,
  survey_language text, accent_color text, title text, title_language text, choices invite.recipient_choice[], workspace_id text,
  survey_id text, invitation_id bigint, wording text, logo_url text, logo_alt text
);

-- Rejected requests of known tokens, deleted ones too, by token, hour and code. Written every few seconds, kept for a week. No value of a request: no address, no secret.
create table invite.rejections (
  trigger_token_id uuid not null, -- The token that the requests came with.
  hour timestamptz not null, -- Start of the hour, UTC.
  code text not null, -- The error code that the caller got.
  rejected integer not null, -- How many requests were rejected with this code in that hour.
  last_at timestamptz not null, -- When the last of them was rejected.
  last_detail text, -- What was wrong with the last of them: field and rule, never its value. Null: the code says it all.
  constraint rejections_pkey PRIMARY KEY (trigger_token_id, hour, code),
  constraint rejections_trigger_token_fkey FOREIGN KEY (trigger_token_id) REFERENCES invite.trigger_tokens(id) ON DELETE CASCADE,
  constraint rejections_code_format CHECK (code ~ '^[a-z_]{1,64}$'::text),
  constraint rejections_detail_length CHECK (length(last_detail) <= 255)
);
-- What is to be pruned.
CREATE INDEX rejections_hour_idx ON invite.rejections USING btree (hour);

-- Test messages of members to themselves or another member. Not invitations: no count, cooldown, quota or response knows of them. Kept for a day.
create table invite.test_invitations (
  id uuid not null default gen_random_uuid(), -- What the job that sends the test carries.
  survey_id text collate "C" not null, -- The survey that the test is about.
  trigger_token_id uuid not null, -- The token whose default texts the message has.
  message_kind invite.message_kind not null, -- Which of its messages: the invitation or the reminder.
  language text collate "C", -- The language (BCP 47) of the recipient that it is a test of. Null: the survey's.
  email text collate "C" not null, -- The member who asked for the test.
  recipient text collate "C" not null, -- The member who gets it.
  name text, -- The name of the recipient that it is a test of. Null: one without a name.
  requested_at timestamptz not null, -- When it was asked for.
  outcome invite.delivery_outcome, -- What became of the last attempt; null: there was none yet.
  outcome_code text, -- Why it failed: the relay's code or ours, never its words, which may repeat an address.
  attempts integer not null default 0, -- How often it was tried.
  tried_at timestamptz, -- When it was last tried.
  constraint test_invitations_pkey PRIMARY KEY (id),
  constraint test_invitations_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id) ON DELETE CASCADE,
  constraint test_invitations_token_fkey FOREIGN KEY (trigger_token_id) REFERENCES invite.trigger_tokens(id) ON DELETE CASCADE,
  constraint test_invitations_code_length CHECK (length(outcome_code) <= 100),
  constraint test_invitations_language_tag CHECK (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'::text AND length(language) <= 35),
  constraint test_invitations_name_length CHECK (length(name) >= 1 AND length(name) <= 255 AND name !~ '[\r\n]'::text),
  constraint test_invitations_name_marks CHECK (name !~ invite.direction_marks()),
  constraint test_invitations_tried CHECK ((outcome IS NULL) = (tried_at IS NULL))
);
-- The tests that a member asked for.
CREATE INDEX test_invitations_email_idx ON invite.test_invitations USING btree (email, requested_at);
-- The tests of a survey, for the limit of its workspace.
CREATE INDEX test_invitations_survey_idx ON invite.test_invitations USING btree (survey_id, requested_at);

-- What a worker needs to render and send a test invitation. Nulls: nothing is to be sent. question: as in claimed_invitation. page_translation: as the function of that name. translation: as nearest_translation. wording: the workspace's.
create type invite.test_message as (
  id uuid, message_kind invite.message_kind, email text collate "C", subject text, message text, survey_id text, survey_title text,
  page_translation jsonb, workspace_name text, reminder_subject text, reminder_message text, sender jsonb, survey_language text,
  language text, translation jsonb, name text, question jsonb, wording text
);

-- What was done, in the audit log.
create type invite.audit_action as enum (
  'member_added', 'member_changed', 'member_removed', 'token_created', 'token_changed', 'token_deleted', 'survey_state_changed',
  'batch_cancelled', 'batch_retried', 'invitation_cancelled', 'invitation_retried', 'signed_in', 'survey_disabled', 'survey_enabled',
  'workspace_suspended', 'workspace_resumed', 'plan_changed', 'sending_paused', 'sending_resumed', 'batch_rescheduled', 'survey_cancelled',
  'survey_retried', 'address_cancelled', 'address_erased', 'sign_in_link_created', 'deletion_started', 'survey_deleted',
  'workspace_deleted', 'retention_changed', 'address_blocked', 'address_unblocked', 'events_enabled', 'events_disabled', 'webhook_created',
  'webhook_rotated', 'webhook_paused', 'webhook_resumed', 'webhook_deleted', 'sender_changed', 'rules_changed', 'invitation_sent_anyway',
  'reminded_now', 'test_workspace_created', 'survey_created', 'survey_changed', 'workspace_renamed', 'signed_out', 'answers_exported',
  'addresses_exported', 'audit_exported', 'access_refused', 'token_secret_replaced', 'token_secret_ended', 'list_sent', 'list_cancelled',
  'workspace_moved', 'notifications_changed', 'guard_warned', 'guard_paused', 'guard_released', 'guard_limit_changed',
  'guard_domain_warned', 'cap_changed', 'wording_changed'
);

-- Who signed in and out, who changed or exported what, and who was refused. Rows are only added. No secrets, and no address of a recipient.
create table invite.audit_log (
  id bigint not null generated always as identity, -- In the order of the changes.
  workspace_id text collate "C", -- The workspace that was changed. Null: all of them, or one that is deleted.
  at timestamptz not null default clock_timestamp(), -- When it was changed.
  actor text not null, -- Email of the member who did it, cli for the command line and a product's own calls, or service for what happened by itself.
  action invite.audit_action not null, -- What was done.
  subject text, -- What it was done to: a member's email, a token's name, an id. Null: an address, which isn't kept, or everything.
  detail jsonb not null default '{}'::jsonb, -- More about the action, such as the role, or the network address that signed in.
  database_user text not null default SESSION_USER, -- The login role of PostgreSQL.
  application text not null default current_setting('application_name'::text), -- The application_name of the connection.
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint audit_log_detail_object CHECK (jsonb_typeof(detail) = 'object'::text)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- What a person read in bulk or was refused lately.
CREATE INDEX audit_log_access_idx ON invite.audit_log USING btree (workspace_id, actor, at) WHERE (action = ANY (ARRAY['answers_exported'::invite.audit_action, 'addresses_exported'::invite.audit_action, 'audit_exported'::invite.audit_action, 'access_refused'::invite.audit_action]));
-- How often an address was added in the last day, for its limit.
CREATE INDEX audit_log_new_member_idx ON invite.audit_log USING btree (subject, at) WHERE (action = 'member_added'::invite.audit_action);
-- The members that a workspace has added in the last hour and day, for their limit.
CREATE INDEX audit_log_new_members_idx ON invite.audit_log USING btree (workspace_id, at) WHERE (action = 'member_added'::invite.audit_action);
-- Who paused sending.
CREATE INDEX audit_log_pauses_idx ON invite.audit_log USING btree (workspace_id, at, id) WHERE (action = 'sending_paused'::invite.audit_action);
-- The newest entries of a workspace.
CREATE INDEX audit_log_workspace_idx ON invite.audit_log USING btree (workspace_id, id DESC);

-- What happened, for the customer's backend.
create type invite.event_type as enum (
  'batch.accepted', 'invitation.sent', 'invitation.delivered', 'invitation.bounced', 'invitation.complained', 'invitation.suppressed',
  'invitation.failed', 'invitation.cancelled', 'invitation.skipped', 'invitation.deferred', 'invitation.reminded',
  'invitation.unsubscribed', 'response.submitted', 'response.low_score', 'survey.activated', 'survey.closed', 'survey.held',
  'survey.released'
);

-- Events as the transaction that makes them happen writes them. publish_events moves them to events once they are committed: a number taken here may be committed after a higher one, and a reader that had passed it would skip it.
create table invite.new_events (
  id bigint not null generated always as identity, -- In the order of writing: for one invitation also in the order of what happened.
  type invite.event_type not null, -- What happened.
  at timestamptz not null, -- When it happened; a relay's reports by its clock.
  survey_id text collate "C" not null, -- The survey.
  batch_id uuid, -- The batch, if there is one.
  invitation_id bigint, -- The invitation, if there is one.
  response_id bigint, -- The response, if there is one.
  message_kind invite.message_kind, -- Which message it is about.
  code text, -- Why a message failed, or what closed a survey.
  written_at timestamptz not null default statement_timestamp(), -- When it was written here.
  constraint new_events_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
-- Wakes a worker that publishes them.
CREATE TRIGGER _500_wake AFTER INSERT ON invite.new_events FOR EACH ROW EXECUTE FUNCTION invite.tg_new_events__wake();

-- What happened, in the order in which it is read. Rows are only added; a week is a partition, which goes as a whole (retention). No address, name or answer is here: list_events reads them where they are, so that what is erased there is gone here.
create table invite.events (
  position bigint not null, -- Given after the commit, without gaps: a reader that has read up to here has missed nothing.
  published_at timestamptz not null, -- When the position was given.
  id uuid not null default gen_random_uuid(), -- The id that the customer sees: it stays the same however often the event is delivered.
  workspace_id text collate "C" not null, -- The workspace.
  type invite.event_type not null, -- What happened.
  at timestamptz not null, -- When it happened; a relay's reports by its clock.
  survey_id text collate "C" not null, -- The survey.
  batch_id uuid, -- The batch, if there is one.
  invitation_id bigint, -- The invitation, if there is one.
  response_id bigint, -- The response, if there is one.
  message_kind invite.message_kind, -- Which message it is about.
  code text, -- Why a message failed, or what closed a survey.
  is_moved boolean not null default false, -- Whether its workspace has brought it from another database: then read_events has it there, and here it is read by workspace or survey alone. Such an event may have the position of another workspace's.
  constraint events_pkey PRIMARY KEY ("position", published_at)
) partition by RANGE (published_at);
-- The events of an invitation, for its erasure.
CREATE INDEX events_invitation_idx ON ONLY invite.events USING btree (invitation_id) WHERE (invitation_id IS NOT NULL);
-- The events of a survey.
CREATE INDEX events_survey_idx ON ONLY invite.events USING btree (survey_id, "position");
-- The events of a workspace.
CREATE INDEX events_workspace_idx ON ONLY invite.events USING btree (workspace_id, "position");

-- How far publish_events has come. One row.
create table invite.event_progress (
  one_row boolean not null default true, -- Always true: there is one row.
  published_to bigint not null default 0, -- The last position.
  constraint event_progress_pkey PRIMARY KEY (one_row),
  constraint event_progress_one_row CHECK (one_row)
) with (fillfactor=50);

-- From where tables are read in steps: new_events and result_changes, which are emptied, and invitations, which are made searchable.
create table invite.queue_progress (
  queue text collate "C" not null, -- The table.
  read_from bigint not null default 0, -- The lowest id that can still appear. All rows below it were taken: those of the first two are there only because a held snapshot keeps them.
  open_to bigint, -- read_from becomes the next id after this one once open_transactions have ended. Null: not looked at yet.
  open_transactions text[], -- The transactions that may still have uncommitted rows up to open_to.
  constraint queue_progress_pkey PRIMARY KEY (queue)
) with (fillfactor=50);

-- 1: a worker publishes events, and looks again after each transaction that reads this; 0: a writer has to wake one. A sequence, because its value is seen at once, whatever the snapshot, and leaves no row versions.
create sequence invite.publisher_awake minvalue 0 maxvalue 1;

-- The cursors of read_events.
create table invite.event_consumers (
  name text collate "C" not null, -- The product's name for what reads.
  position bigint not null default 0, -- The last event that it has read, or passed over.
  read_at timestamptz, -- When it last read. Null: not yet.
  constraint event_consumers_pkey PRIMARY KEY (name),
  constraint event_consumers_name_length CHECK (length(name) >= 1 AND length(name) <= 64)
);

-- An event as it is read. data: what is the same in all ways of reading; see list_events.
create type invite.event as (
  position bigint, id uuid, type invite.event_type, at timestamptz, workspace_id text, survey_id text, batch_id uuid, invitation_id bigint,
  response_id bigint, data jsonb
);

-- events: Standard Webhooks. slack: {"text": …} for each low score, to an incoming webhook of Slack or what takes the same.
create type invite.webhook_format as enum (
  'events', 'slack'
);

-- Where a workspace's backend gets its events, by Standard Webhooks.
create table invite.webhook_endpoints (
  id uuid not null default gen_random_uuid(), -- The endpoint.
  workspace_id text collate "C" not null, -- The workspace whose events it gets.
  url text not null, -- The address. http only where the operator allows its network. Of slack: what may be shown of it, since the address is the secret.
  types invite.event_type[], -- The events it gets. Null: all but invitation.deferred and response.low_score.
  secret text not null, -- What signs its requests, so it can't be a hash. Encrypted with a key that only the service has: sealed.<id of the key>.<ciphertext>. Of slack: the address.
  previous_secret text, -- Signs too until previous_secret_until, so that the receiver can change over. Encrypted likewise.
  previous_secret_until timestamptz, -- Until when.
  paused_at timestamptz, -- When it was paused: events are kept for it. Null: not paused.
  disabled_at timestamptz, -- When it responded 410, and gets nothing more until it is resumed, or was deleted. Null: neither.
  deleted_at timestamptz, -- When it was deleted: its deliveries follow in steps, then it. Nobody sees it any more. Null: not deleted.
  failing_since timestamptz, -- Since when no request to it has succeeded. Null: the last one did.
  warned_at timestamptz, -- When the owners were told that it fails. Null: not since failing_since.
  created_at timestamptz not null default clock_timestamp(), -- When it was created.
  mean_seconds real not null default 0, -- How long its requests take on average, the last ones counting most: each has a fifth of the weight. Under a second it is not kept up to date.
  format invite.webhook_format not null default 'events'::invite.webhook_format, -- What its requests are.
  survey_id text collate "C", -- The only survey whose events it gets. Null: all.
  below smallint, -- Of slack: lower scores are told. Null: those that are low by low_score.
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id) ON DELETE CASCADE,
  constraint webhook_endpoints_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES invite.workspaces(id) ON DELETE CASCADE,
  constraint webhook_endpoints_below_range CHECK (below >= '-99'::integer AND below <= 101),
  constraint webhook_endpoints_deleted CHECK (deleted_at IS NULL OR disabled_at IS NOT NULL),
  constraint webhook_endpoints_format_fields CHECK (
CASE format
    WHEN 'slack'::invite.webhook_format THEN num_nonnulls(types, previous_secret) = 0
    ELSE below IS NULL
END),
  constraint webhook_endpoints_previous_secret_sealed CHECK (previous_secret ~ '^sealed\.[0-9a-f]{8}\.[A-Za-z0-9_-]{40,}$'::text AND length(previous_secret) <= 1000),
  constraint webhook_endpoints_secret_sealed CHECK (secret ~ '^sealed\.[0-9a-f]{8}\.[A-Za-z0-9_-]{40,}$'::text AND length(secret) <= 3000),
  constraint webhook_endpoints_types_any CHECK (cardinality(types) > 0),
  constraint webhook_endpoints_url_form CHECK (url ~* '^https?://(\[[0-9a-f:.]+\]|[^][:space:][:cntrl:]/?#@:<>\\^|%[]+)(:([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?([/?][^[:space:][:cntrl:]#]*)?$'::text AND length(url) <= 2000)
);
-- The endpoints of a survey, which go with it.
CREATE INDEX webhook_endpoints_survey_idx ON invite.webhook_endpoints USING btree (survey_id) WHERE (survey_id IS NOT NULL);
-- The endpoints of a workspace.
CREATE INDEX webhook_endpoints_workspace_idx ON invite.webhook_endpoints USING btree (workspace_id);

-- pending: to be sent at due_at. failed: given up, or the endpoint responded 410.
create type invite.webhook_status as enum (
  'pending', 'delivered', 'failed'
);

-- An event on its way to an endpoint, and what became of it. Kept as long as events.
create table invite.webhook_deliveries (
  id bigint not null generated always as identity, -- The delivery.
  endpoint_id uuid not null, -- The endpoint.
  event_id uuid not null, -- The event's id, which is webhook-id at each attempt.
  event_position bigint, -- The event's position. Null: a test, which is no event.
  status invite.webhook_status not null default 'pending'::invite.webhook_status, -- See the type.
  due_at timestamptz, -- When it is to be sent, or sent again. Null once it has ended.
  leased_until timestamptz, -- A worker is sending it. Past: that worker is lost, and another takes it.
  attempts smallint not null default 0, -- How often it was tried. It also names the attempt: a later one is not settled by an earlier.
  attempted_at timestamptz, -- When it was last tried.
  response_status smallint, -- The HTTP status of the last response. Null: there was none.
  response_start text, -- Its first characters. Null: none, or erased, because they may quote an address.
  error_code text, -- Why there was no response, such as timeout or forbidden_address.
  created_at timestamptz not null default clock_timestamp(), -- When the event was published.
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_endpoint_fkey FOREIGN KEY (endpoint_id) REFERENCES invite.webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_deliveries_event_key UNIQUE (endpoint_id, event_id),
  constraint webhook_deliveries_due CHECK ((status = 'pending'::invite.webhook_status) = (due_at IS NOT NULL)),
  constraint webhook_deliveries_leased CHECK (leased_until IS NULL OR status = 'pending'::invite.webhook_status),
  constraint webhook_deliveries_response_length CHECK (length(response_start) <= 500)
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
-- What is being sent to an endpoint: few, however many wait.
CREATE INDEX webhook_deliveries_leased_idx ON invite.webhook_deliveries USING btree (endpoint_id, leased_until) WHERE (leased_until IS NOT NULL);
-- The deliveries of an endpoint by status, newest first, for its log.
CREATE INDEX webhook_deliveries_listed_idx ON invite.webhook_deliveries USING btree (endpoint_id, status, id);
-- What is to be sent to an endpoint.
CREATE INDEX webhook_deliveries_pending_idx ON invite.webhook_deliveries USING btree (endpoint_id, due_at) WHERE (status = 'pending'::invite.webhook_status);
-- The deliveries of an event, for its erasure.
CREATE INDEX webhook_deliveries_position_idx ON invite.webhook_deliveries USING btree (event_position);

-- What a worker needs to send one event. secrets: sealed; each makes a signature, or of slack is the address. body: null if the event is no longer kept; of slack: as low_score_message.
create type invite.claimed_webhook as (
  id bigint, attempts smallint, endpoint_id uuid, url text, secrets text[], event_id uuid, body text, format invite.webhook_format
);

-- A secret that is stored encrypted. kind and id: what it belongs to; it can be decrypted for nothing else. secret: sealed.<id of its key>.<ciphertext>.
create type invite.sealed_secret as (
  kind text, id text, secret text
);

-- A member who has chosen to get email about what happened. It goes with the member, and with it all that waits to be sent.
create table invite.notified_members (
  id bigint not null generated always as identity, -- Stands for the member where emails wait, so that they hold no address.
  workspace_id text collate "C" not null, -- The workspace. Never a test workspace.
  email text collate "C" not null, -- The member.
  secret uuid not null default gen_random_uuid(), -- The secret of the link that stops the emails.
  time_zone text collate "C", -- The zone in which the week begins. Null: the workspace's.
  report_due_at timestamptz, -- When the next weekly report is due. Null: the member wants none.
  constraint notified_members_pkey PRIMARY KEY (id),
  constraint notified_members_member_fkey FOREIGN KEY (workspace_id, email) REFERENCES invite.members(workspace_id, email) ON DELETE CASCADE,
  constraint notified_members_member_key UNIQUE (workspace_id, email),
  constraint notified_members_time_zone_length CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64)
);
-- The weekly reports that are due.
CREATE INDEX notified_members_due_idx ON invite.notified_members USING btree (report_due_at) WHERE (report_due_at IS NOT NULL);
-- Forgets what removed members were to be told.
CREATE TRIGGER _500_forgotten AFTER DELETE ON invite.notified_members REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION invite.tg_notified_members__forgotten();

-- A member's rule: an email at once for each score below this one.
create table invite.score_alerts (
  survey_id text collate "C" not null, -- The survey.
  notified_id bigint not null, -- The member.
  question text collate "C" not null, -- The id of the question with the score.
  below integer not null, -- Lower scores are told.
  constraint score_alerts_pkey PRIMARY KEY (survey_id, notified_id),
  constraint score_alerts_notified_fkey FOREIGN KEY (notified_id) REFERENCES invite.notified_members(id) ON DELETE CASCADE,
  constraint score_alerts_survey_fkey FOREIGN KEY (survey_id) REFERENCES invite.surveys(id) ON DELETE CASCADE
);
-- The rules of a member.
CREATE INDEX score_alerts_notified_idx ON invite.score_alerts USING btree (notified_id);

-- low_scores: about one response or several, as a member's rule says.
create type invite.notification_kind as enum (
  'low_scores', 'weekly_report'
);

-- An email to a member about what happened. It has no text: what it says is read when it is sent, so that what was erased is in no email. Kept for a week.
create table invite.notifications (
  id bigint not null generated always as identity, -- The email; its key at the relay, the same at each attempt.
  notified_id bigint not null, -- The member.
  kind invite.notification_kind not null, -- What it is about.
  week_ends_on date, -- Of a weekly report: the Monday on which the week is over.
  created_at timestamptz not null, -- When it was decided. The limit of an hour counts from here.
  due_at timestamptz, -- When it is to be sent, or sent again. Null once it has ended.
  leased_until timestamptz, -- A worker is sending it. Past: that worker is lost, and another takes it.
  attempts smallint not null default 0, -- How often it was tried. It also names the attempt: a later one is not settled by an earlier.
  ended_at timestamptz, -- When it was sent or given up. Null: not yet.
  outcome text, -- sent; nothing, if there was nothing left to tell; or the relay's code of the last attempt. Null: not tried yet.
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_notified_fkey FOREIGN KEY (notified_id) REFERENCES invite.notified_members(id) ON DELETE CASCADE,
  constraint notifications_ended CHECK ((due_at IS NULL) = (ended_at IS NOT NULL) AND (outcome IS NULL OR length(outcome) <= 100)),
  constraint notifications_week CHECK ((week_ends_on IS NULL) = (kind <> 'weekly_report'::invite.notification_kind))
);
-- What is to be sent.
CREATE INDEX notifications_due_idx ON invite.notifications USING btree (due_at) WHERE (due_at IS NOT NULL);
-- What prune_expired deletes.
CREATE INDEX notifications_ended_idx ON invite.notifications USING btree (ended_at) WHERE (ended_at IS NOT NULL);
-- What a member got lately.
CREATE INDEX notifications_notified_idx ON invite.notifications USING btree (notified_id, created_at);

-- A response that a member is to be told of; deleted once the email has ended. A trigger keeps the member, in place of a foreign key: a response waits for no change of a member.
create table invite.low_scores (
  notified_id bigint not null, -- The member.
  response_id bigint not null, -- The response.
  noticed_at timestamptz not null default clock_timestamp(), -- When it was recorded here.
  notification_id bigint, -- The email that tells it. Null: none yet.
  constraint low_scores_pkey PRIMARY KEY (response_id, notified_id),
  constraint low_scores_response_fkey FOREIGN KEY (response_id) REFERENCES invite.responses(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
-- What prune_expired deletes.
CREATE INDEX low_scores_noticed_idx ON invite.low_scores USING btree (noticed_at);
-- What an email tells.
CREATE INDEX low_scores_notification_idx ON invite.low_scores USING btree (notification_id) WHERE (notification_id IS NOT NULL);
-- What no email tells yet.
CREATE INDEX low_scores_waiting_idx ON invite.low_scores USING btree (notified_id, response_id) WHERE (notification_id IS NULL);

-- An email to a member that a worker is to send. notification_content says what is in it.
create type invite.claimed_notification as (
  id bigint, attempts smallint
);

-- What a worker needs to render an email to a member. content: low_score_content or weekly_report. token: of the link that stops it.
create type invite.notification_content as (
  kind invite.notification_kind, workspace_id text, workspace_name text, email text, role invite.member_role, time_zone text, token text,
  content jsonb
);

-- What needs attention in a workspace (attention_of). kind: low_scores, emails_failed, sending_paused, survey_closing, links_expiring or rate_fell. survey_id: null for the workspace or the service. number: of responses, emails or invitations. at: since or until when. detail: what else the kind has.
create type invite.attention as (
  kind text, survey_id text, title text, number bigint, at timestamptz, detail jsonb
);

-- What is deleted after a time of the owner's choice.
create type invite.retained as enum (
  'batches', 'responses', 'relay_events', 'audit_log', 'failed_jobs', 'events'
);

-- For how long data is kept. prune_expired deletes what is older.
create table invite.retention (
  effective_at timestamptz not null default '-infinity'::timestamp with time zone, -- From when on the days hold: a day after they were shortened.
  what invite.retained not null, -- What is kept. A batch goes with its invitations.
  days integer, -- For how many days, from its last event. Null: for good.
  previous_days integer, -- What holds until then.
  constraint retention_pkey PRIMARY KEY (what),
  constraint retention_days_range CHECK (days >= 1 AND days <= 36500)
);

-- What prune_expired deletes, in this order: keys before the batches that they name.
create type invite.expiring as enum (
  'idempotency_keys', 'rejections', 'sign_in_links', 'test_invitations', 'sessions', 'notifications', 'uploads', 'cap_slots',
  'webhook_deliveries', 'webhook_endpoints', 'failed_jobs', 'relay_events', 'audit_log', 'responses', 'batches'
);

-- deleted: rows that one step has deleted. sending: emails that a worker has; they are deleted once they are settled. more: call again.
create type invite.delete_result as (
  deleted integer, sending integer, more boolean
);

-- The relays that running workers send to. A relay that is no longer used keeps its last condition in invite.relays, and delays nothing.
create view invite.active_relays (
  id text collate "C", condition invite.relay_condition, since timestamptz, paused_until timestamptz, code text, allowance numeric,
  allowance_at timestamptz
) as …;

-- Surveys whose emails wait although they may be sent, and that no queued job will requeue. Normally empty; rows disappear within two minutes.
create view invite.awaiting_requeue (
  survey_id text collate "C", workspace_id text collate "C"
) as …;

-- The jobs of the workers. An email's state is in its row: a lost job is replaced.
create view invite.background_jobs (
  id bigint, task text, priority smallint, run_at timestamptz, attempts smallint, max_attempts smallint, created_at timestamptz,
  updated_at timestamptz, locked_at timestamptz, locked_by text, state text, workspace_id text, survey_id text, invitations integer,
  last_error text
) as …;

-- Batches with their derived status (scheduled, queued, waiting, deferred, sending, sent, partly_failed, failed, cancelled, skipped) and counts of recipients. The columns from queued to skipped count invitations and add up to recipients; reminders are counted separately. deferred: those of the queued that a rule about when emails leave has put off.
create view invite.batch_overview (
  id uuid, workspace_id text collate "C", survey_id text collate "C", trigger_token_id uuid, accepted_at timestamptz,
  scheduled_at timestamptz, recipients integer, reminders smallint[], metadata jsonb, status text, queued integer, waiting integer,
  sending integer, sent integer, failed integer, suppressed integer, cancelled integer, skipped integer, reminders_pending integer,
  reminded integer, responded integer, reminders_failed integer, deferred integer, delivered integer, bounced integer, complained integer,
  unsubscribed integer
) as …;

-- Emails, events and webhooks that are stuck: how (code), and since when. Normally empty; rows disappear within two minutes. A row that stays is a fault: see docs/operations.md.
create view invite.broken_invariants (
  code invite.broken_invariant, invitation_id bigint, survey_id text collate "C", since timestamptz, endpoint_id uuid
) as …;

-- The caps, with what has left under each, how many emails wait for their places, and until when at most. workspace_id: null: shared by all.
create view invite.cap_overview (
  workspace_id text collate "C", scope invite.cap_scope, domain text collate "C", per_hour integer, per_day integer, own_per_hour integer,
  own_per_day integer, earned_per_day integer, earned_days smallint, sent_this_hour integer, sent_today integer, waiting integer,
  waits_until timestamptz
) as …;

-- The tables that grow: how large they are, how many rows the last day has added, and when rows are deleted.
create view invite.data_growth (
  name text collate "C", estimated_rows bigint, bytes bigint, oldest_at timestamptz, last_day bigint, retention_days integer
) as …;

-- The job that sends an invitation's next message. A query reads all jobs.
create view invite.delivery_jobs (
  invitation_id bigint, job_id bigint, job_run_at timestamptz, job_locked_by text
) as …;

-- Emails that are queued or being sent: when they are due, how long they are overdue, after how many attempts, and by which job. No job: the sweep adds one; for a reminder that is a minute before it is due. Held emails are in waiting_invitations.
create view invite.delivery_queue (
  id bigint, survey_id text collate "C", batch_id uuid, email text collate "C", message_kind invite.message_kind,
  status invite.message_status, due_at timestamptz, overdue_by interval, attempts smallint, last_error_code text, last_error text,
  worker_id uuid, job_id bigint, job_run_at timestamptz, job_locked_by text
) as …;

-- What the next 24 hours delete because it has been kept for long enough.
create view invite.due_for_deletion (
  what invite.retained, days integer, effective_at timestamptz, next_days integer, rows integer, most_rows integer
) as …;

-- Emails that are due in the next hour, by survey. Those with a hold_reason will wait instead.
create view invite.due_next_hour (
  workspace_id text collate "C", survey_id text collate "C", hold_reason invite.hold_reason, emails bigint, first_due_at timestamptz
) as …;

-- Invitations and reminders that the relay has accepted in the last 15 minutes, by minute. Those to erased recipients are left out.
create view invite.emails_per_minute (
  minute timestamptz, invitations bigint, reminders bigint
) as …;

-- How far each consumer of events has read, and how far it is behind.
create view invite.event_consumer_lag (
  name text collate "C", position bigint, behind bigint, oldest_unread_at timestamptz, read_at timestamptz, lost bigint
) as …;

-- Invitations and reminders that failed or were suppressed, with the error.
create view invite.failed_invitations (
  id bigint, survey_id text collate "C", batch_id uuid, email text collate "C", message_kind invite.message_kind,
  status invite.message_status, attempts smallint, last_error_code text, last_error text, failed_at timestamptz
) as …;

-- Jobs whose last attempt failed. Those with the state retrying run again at run_at; those with gave_up don't, and are deleted after their retention.
create view invite.failing_jobs (
  id bigint, task text, state text, attempts smallint, max_attempts smallint, run_at timestamptz, updated_at timestamptz, workspace_id text,
  survey_id text, invitations integer, last_error text
) as …;

-- What happened to each invitation, one row for each event: accepted, sent, reported by the relay, responded, and when its next email is due. event and detail are codes; in_words is a sentence. Filter by id (invitations_to returns the ids of an address), batch or survey: a filter by time alone reads everything.
create view invite.invitation_history (
  id bigint, workspace_id text collate "C", survey_id text collate "C", batch_id uuid, email text collate "C", at timestamptz,
  event invite.history_event, detail text collate "C", in_words text collate "C"
) as …;

-- Invitations with the state of their last message, and when the first one and the last reminder were sent. Without their links.
create view invite.invitation_overview (
  id bigint, batch_id uuid, survey_id text collate "C", email text collate "C", name text, metadata jsonb, status invite.message_status,
  message_kind invite.message_kind, due_at timestamptz, attempts smallint, sent_at timestamptz, reminded_at timestamptz,
  responded_at timestamptz, last_error_code text, last_error text, relay_message_id text, worker_id uuid, cancelled_at timestamptz,
  failed_at timestamptz, erased_at timestamptz, workspace_id text collate "C", language text collate "C"
) as …;

-- The people who are signed in, since when, from which IP address and device. end_session ends one, end_sessions all of a person.
create view invite.member_sessions (
  email text collate "C", signed_in_at timestamptz, last_used_at timestamptz, client_address text, ends_at timestamptz, session_id uuid,
  device text
) as …;

-- Each email to each recipient, the invitation (number 0) and its reminders: its state, its times and its last error. Filter by invitation_id.
create view invite.message_overview (
  invitation_id bigint, number smallint, survey_id text collate "C", message_kind invite.message_kind, status invite.message_status,
  due_at timestamptz, not_before timestamptz, sent_at timestamptz, failed_at timestamptz, skipped_at timestamptz, cancelled_at timestamptz,
  unconfirmed_since timestamptz, retried_at timestamptz, attempts smallint, rule invite.unsent_reason, is_last boolean,
  last_error_code text, last_error text, relay_message_id text, worker_id uuid
) as …;

-- Counts of Results that differ from the responses and invitations. Empty, unless triggers were off; then call invite.recount_results(survey). A query reads all responses and invitations of the survey.
create view invite.miscounted_results (
  survey_id text collate "C", starts_at timestamptz, question text collate "C", value text collate "C", given bigint, counted bigint
) as …;

-- The members who get email about low scores or their week, and what is on its way to them.
create view invite.notification_overview (
  workspace_id text collate "C", email text collate "C", role invite.member_role, report_due_at timestamptz, time_zone text collate "C",
  score_alerts integer, waiting_scores integer, waiting_emails integer, last_ended_at timestamptz, last_outcome text
) as …;

-- Where sending is paused: for everyone (scope all), for a workspace, by the guard for a workspace, or for a survey. Requests are still accepted, and due emails wait.
create view invite.paused_sending (
  scope text, workspace_id text collate "C", survey_id text collate "C", paused_at timestamptz
) as …;

-- Rejected trigger requests of the last week by token, code and hour. Those with a secret that no token ever had are only in the log.
create view invite.rejected_requests (
  workspace_id text collate "C", survey_id text collate "C", trigger_token_id uuid, name text, secret_hint text, deleted_at timestamptz,
  code text, hour timestamptz, rejected integer, last_at timestamptz, last_detail text
) as …;

-- Whether a relay accepts email: healthy, busy (until paused_until), or fault (code and detail say which; a probe is sent at paused_until). No row: healthy. rejected_workspaces: the workspaces whose content it has rejected since it last accepted a message. Fewer than three are never a fault, even if there are no other workspaces: a wrong text in these workspaces looks the same, and their failed messages can be retried.
create view invite.relay_health (
  id text collate "C", condition invite.relay_condition, since timestamptz, paused_until timestamptz, code text, detail text,
  faults integer, rejected_in_a_row integer, rejected_workspaces text[]
) as …;

-- The Results: responses with their attribution and the hidden metadata of the request that invited the respondent.
create view invite.results (
  id bigint, survey_id text collate "C", submitted_at timestamptz, answers jsonb, attribution text, invitation_id bigint, batch_id uuid,
  email text collate "C", name text, metadata jsonb, questions_version integer, erased_at timestamptz, language text collate "C",
  clicked_in_email text collate "C", trigger_token_id uuid
) as …;

-- Addresses that a workspace must not email, why, and what the relay last reported about them.
create view invite.suppressed_addresses (
  workspace_id text collate "C", email text collate "C", reason invite.suppression_reason, created_at timestamptz, relay text collate "C",
  event_type invite.relay_event_type, occurred_at timestamptz, detail text
) as …;

-- Surveys, and why their email is held: hold_reason, and a sentence in in_words; null: it isn't held.
create view invite.survey_overview (
  id text collate "C", workspace_id text collate "C", title text, state invite.survey_state, disabled_at timestamptz, public_url text,
  created_at timestamptz, hold_reason invite.hold_reason, in_words text, responses integer, open_responses boolean, paused_at timestamptz,
  questions_version integer, thanks text, language text collate "C", translations jsonb, link_days integer, response_limit integer,
  closes_at timestamptz, time_zone text collate "C", max_delay_hours integer, draft_edited_at timestamptz
) as …;

-- The trigger tokens that aren't deleted, without the hashes of their secrets. rejected: how many of their requests were rejected in the last 24 hours. survey_public_url: where their links lead if the product has its own survey page.
create view invite.trigger_token_overview (
  id uuid, survey_id text collate "C", name text, secret_hint text, cooldown_seconds integer, default_subject text, default_message text,
  default_reminders smallint[], default_reminder_subject text, default_reminder_message text, last_accepted_at timestamptz, created_by text,
  created_at timestamptz, rejected integer, survey_public_url text, sender jsonb, allow_reading boolean, translations jsonb,
  survey_language text collate "C", workspace_sender jsonb, ignores_rest boolean, workspace_rest_days integer, previous_secret_hint text,
  previous_secret_until timestamptz, is_by_hand boolean, question_in_email boolean, email_question jsonb, translated_from jsonb
) as …;

-- The cause that holds back each unsent email, without a look at its job: a code (unsent_reason), its details, and a sentence. Lists read it; unsent_messages also looks at the job.
create view invite.unsent_causes (
  id bigint, workspace_id text collate "C", survey_id text collate "C", batch_id uuid, email text collate "C",
  message_kind invite.message_kind, status invite.message_status, unsent_reason invite.unsent_reason, hold_reason invite.hold_reason,
  suppression_reason invite.suppression_reason, suppressed_at timestamptz, relay text, relay_code text, in_words text, due_at timestamptz,
  leave_by timestamptz, attempts smallint, last_error_code text, last_error text, sweep_at timestamptz
) as …;

-- Each email that hasn't been sent, why (unsent_reason, with a sentence in in_words), and when a worker looks at it next (next_look_at: the time of its job or, without one, of the sweep). Includes reminders that are still to come.
create view invite.unsent_messages (
  id bigint, workspace_id text collate "C", survey_id text collate "C", batch_id uuid, email text collate "C",
  message_kind invite.message_kind, status invite.message_status, unsent_reason invite.unsent_reason, hold_reason invite.hold_reason,
  suppression_reason invite.suppression_reason, in_words text, due_at timestamptz, leave_by timestamptz, attempts smallint,
  last_error_code text, last_error text, job_id bigint, next_look_at timestamptz
) as …;

-- The lists of people that were uploaded. unaccepted: lines that aren't invited, yet or at all, by what becomes of them.
create view invite.upload_overview (
  id uuid, survey_id text collate "C", workspace_id text collate "C", name text, state invite.upload_state,
  waits_for invite.trigger_outcome, lines integer, people integer, accepted integer, unaccepted jsonb, batches bigint, created_by text,
  sent_by text, created_at timestamptz, sent_at timestamptz, send_at timestamptz, ended_at timestamptz
) as …;

-- Invitations and reminders that are due but held, and why.
create view invite.waiting_invitations (
  id bigint, survey_id text collate "C", batch_id uuid, email text collate "C", message_kind invite.message_kind, due_at timestamptz,
  hold_reason invite.hold_reason, in_words text
) as …;

-- The deliveries to webhook endpoints, the endpoints' responses, and why a pending delivery is pending.
create view invite.webhook_log (
  id bigint, endpoint_id uuid, workspace_id text collate "C", event_id uuid, event_position bigint, status invite.webhook_status,
  due_at timestamptz, attempts smallint, attempted_at timestamptz, response_status smallint, response_start text, error_code text,
  created_at timestamptz, pending_reason text
) as …;

-- The webhook endpoints, without their secrets.
create view invite.webhook_overview (
  id uuid, workspace_id text collate "C", url text, types invite.event_type[], paused_at timestamptz, disabled_at timestamptz,
  failing_since timestamptz, warned_at timestamptz, rotating_until timestamptz, created_at timestamptz, pending bigint, failed bigint,
  format invite.webhook_format, survey_id text collate "C", below smallint
) as …;

-- The workers: when each last reported and last took a job, whether it counts as running, and how many emails it is sending.
create view invite.worker_health (
  id uuid, hostname text, pid integer, started_at timestamptz, heartbeat_at timestamptz, silent_for interval, sending integer,
  jobs_taken_at timestamptz, is_running boolean
) as …;

-- Workspaces with their plan and the numbers of their surveys and members.
create view invite.workspace_overview (
  id text collate "C", name text, plan_id text collate "C", api_trigger boolean, suspended_at timestamptz, created_at timestamptz,
  surveys integer, members integer, paused_at timestamptz, records_events boolean, sender jsonb, rest_days integer,
  open_hours int4multirange, time_zone text collate "C", closed_days datemultirange, max_delay_hours integer, test_of text collate "C",
  test_now timestamptz, home text collate "C"
) as …;

-- The questions of one version of a survey; responses with this questions_version answered them. replaced_at: when the next version replaced them; null: the survey asks them now.
create type console.asked_questions as (
  version integer, questions jsonb, replaced_at timestamptz
);

-- A batch on its survey's page. counts: its recipients by the state of their invitation, as in batch_overview, and by outcome. message, reminder_subject, reminder_message and metadata: null in a list.
create type console.batch as (
  id uuid, token_name text, token_deleted boolean, status text, subject text, accepted_at timestamptz, scheduled_at timestamptz,
  reminders smallint[], recipients integer, responded integer, counts jsonb, message text, reminder_subject text, reminder_message text,
  metadata jsonb
);

-- The numbers of the responses that share a part: a value of the metadata, an answer, a language, a trigger token or a month. kind: value; others, all smaller values together; none, the responses without the part. score: NPS or average of a question. invited: as in response_rate. rate: the share of those with a response, 0 to 1. Both are null by answers or under a filter by them, because invitations have none. rated_since: they cover invitations that were accepted since; null: all.
create type console.breakdown_line as (
  part text, kind text, responses bigint, score invite.estimate, invited bigint, rate invite.estimate, rated_since timestamptz
);

-- A cap that counts emails of a workspace, as the view cap_overview has it. Of a shared one, per_hour and per_day are for all workspaces, and the counts are this one's.
create type console.cap as (
  scope invite.cap_scope, domain text, per_hour integer, per_day integer, own_per_hour integer, own_per_day integer, earned_per_day integer,
  earned_days integer, sent_this_hour integer, sent_today integer, waiting integer, waits_until timestamptz
);

-- An email behind a number of a forecast. others: how many the list leaves out.
create type console.forecast_message as (
  invitation_id bigint, email text, message_kind invite.message_kind, leaves_at timestamptz, reason invite.unsent_reason, others integer
);

-- How a workspace stands to the guard. guarded_at: when it paused the email; null: it didn't. released_at: the last time; null: never. may_release: whether a member may release it, or only the operator. has_reports: whether a relay has reported anything within seven days; if not, nobody knows how much bounces. figures: [{outcome, hours, sent, reports, verdict, warn_share, pause_share, min_sent, min_reports}]. hours: of the last 24, the newest first, [{at, sent, bounced, complained}]. reported: the newest bounces and complaints, [{invitation_id, email, outcome, at, survey_id, title}]; email: null: erased.
create type console.guard as (
  guarded_at timestamptz, released_at timestamptz, may_release boolean, has_reports boolean, figures jsonb, hours jsonb, reported jsonb
);

-- An invitation on its survey's page, without its link token. status: as people see it (display_status). message_status: of its current message. unsent_reason: why that message hasn't been sent, as in unsent_causes, like the columns after it; null: it was sent. outcome: the last of its outcomes. leave_by: when it is skipped if it hasn't left. rest_survey, rest_since: what a message rests for, and when that was sent. metadata, rest_survey, rest_since: null in a list.
create type console.invitation as (
  id bigint, batch_id uuid, email text, name text, status invite.message_status, message_kind invite.message_kind, due_at timestamptz,
  sent_at timestamptz, reminded_at timestamptz, responded_at timestamptz, cancelled_at timestamptz, attempts smallint, last_error text,
  message_status invite.message_status, last_error_code text, metadata jsonb, unsent_reason invite.unsent_reason,
  hold_reason invite.hold_reason, suppression_reason invite.suppression_reason, suppressed_at timestamptz, relay text, relay_code text,
  outcome invite.invitation_outcome, leave_by timestamptz, rest_survey text, rest_since timestamptz
);

-- Something that happened to an invitation, as in invitation_history.
create type console.invitation_event as (
  at timestamptz, event invite.history_event, detail text
);

-- What a member has chosen to get by email. time_zone: null for the workspace's. alerts: [{survey_id, title, question, label, below}], by title.
create type console.notifications as (
  email text, weekly_report boolean, report_due_at timestamptz, time_zone text, alerts jsonb, role invite.member_role
);

-- How Results divide a period. unit: the length of a bin: day, week, month or year. starts: the first day of each bin. edges: first the two of the period before, then those of the bins, so that width_bucket numbers the period before 1, and the first bin 3.
create type console.period_bins as (
  first_day date, last_day date, unit text, starts date[], edges timestamptz[]
);

-- Questions of a survey that aren't published. replaced_at: when another editor put others in their place; null: this is the draft.
create type console.question_draft as (
  revision uuid, questions jsonb, questions_version integer, edited_by text, edited_at timestamptz, replaced_at timestamptz
);

-- A recipient of a workspace with one invitation, as in console.invitation. listed_reason, listed_at: why and since when the address is on the do-not-email list; null: it isn't.
create type console.recipient as (
  id bigint, batch_id uuid, email text, name text, status invite.message_status, message_kind invite.message_kind, due_at timestamptz,
  sent_at timestamptz, reminded_at timestamptz, responded_at timestamptz, cancelled_at timestamptz, attempts smallint, last_error text,
  message_status invite.message_status, last_error_code text, metadata jsonb, unsent_reason invite.unsent_reason,
  hold_reason invite.hold_reason, suppression_reason invite.suppression_reason, suppressed_at timestamptz, relay text, relay_code text,
  outcome invite.invitation_outcome, survey_id text, survey_title text, accepted_at timestamptz, listed_reason invite.suppression_reason,
  listed_at timestamptz
);

-- What a recipient chose instead of unsubscribing. survey_title: of the survey about which they want no email.
create type console.recipient_choice as (
  choice invite.recipient_choice, survey_title text, chosen_at timestamptz
);

-- Something that happened to a recipient's invitation, as in invitation_history.
create type console.recipient_event as (
  at timestamptz, event invite.history_event, detail text, invitation_id bigint, survey_title text
);

-- The rejected requests of a token with one code, in the last 24 hours and in the last week.
create type console.rejection as (
  token_id uuid, token_name text, secret_hint text, deleted boolean, code text, rejected_day integer, rejected_week integer,
  last_at timestamptz, last_detail text
);

-- One response. questions: those that it answers, as they were asked. language: in which the questions were shown; null: nobody said. invitation_id: null for a response without a link. email, name, batch_id, others: null for viewers and without an invitation; email and name also after they were erased. others: the newest responses of the same person in the workspace, [{id, survey_id, survey_title, submitted_at, label, score}]; label and score: of the first question with a score; null: the response has none. clicked_in_email: as console.result.
create type console.response as (
  id bigint, submitted_at timestamptz, answers jsonb, questions jsonb, metadata jsonb, erased_at timestamptz, language text,
  invitation_id bigint, batch_id uuid, email text, name text, others jsonb, clicked_in_email text
);

-- How many of the invitations that were sent in a period, at least three days ago, and didn't bounce have a response, no matter when it came. invited: those that didn't bounce. recent: those that were sent later, and count nowhere else. bounced: those that bounced, and have no response. …_before: of the period that it is compared with; null: there is none. points: [{first, last, invited, responded, low, high}], the trend as in result_summary; low, high: the interval of the share. All null under a filter by answers, because invitations have no answers. rated_since: the numbers cover invitations that were accepted since; null: all.
create type console.response_rate as (
  invited bigint, responded bigint, bounced bigint, recent bigint, invited_before bigint, responded_before bigint, points jsonb,
  rated_since timestamptz
);

-- A response in the Results. attribution: invitation or direct. email, name: the recipient's; null for viewers and after they were erased. questions_version: which version in asked_questions it answers. erased_at: when its answers were erased for the person; null: they weren't. language: in which the questions were shown; null: nobody said. clicked_in_email: the id of the question whose answer began with a click in the email; null: none.
create type console.result as (
  id bigint, submitted_at timestamptz, answers jsonb, attribution text, invitation_id bigint, batch_id uuid, email text, name text,
  metadata jsonb, questions_version integer, erased_at timestamptz, language text, clicked_in_email text
);

-- Selects responses of a survey: submitted at or after since and before until; that meet all conditions, a list of {dimension, key, values, excludes}; with an answer to a question, and if answers is given, one of those. A null field selects all. dimension: metadata (with its key), answer (with a question's id), language or token. values: one of these; without it any value. excludes: true selects all other responses instead.
create type console.result_filter as (
  since timestamptz, until timestamptz, conditions jsonb, question text, answers text[]
);

-- The columns that a page of responses needs. scanned: how many responses were read. last_id: the last one read; null: there was none.
create type console.result_keys as (
  answer_keys text[], metadata_keys text[], scanned integer, last_id bigint
);

-- A survey's Results in numbers: of a period and, in the fields …_before, of the period that it is compared with (null: there is none). first_day, last_day: the period, in the reader's time zone. unit: the length of a bin: day, week, month or year. bins: the bars of the chart: [{day, invitation, direct}]. answers: [{question, value, number, low, high}]; value '': any other answer, ' ': an answer of several choices as a whole; low, high: the interval of a choice's share. scores: [{question, value, low, high, responses, before, points}]: an NPS or an average, with that of the period before and of each point of the trend: first and last are the numbers of its bins, from 1. answers and scores cover every_question.
create type console.result_summary as (
  responses bigint, responses_before bigint, first_day text, last_day text, unit text, bins jsonb, answers jsonb, scores jsonb
);

-- What became of a draft. is_saved: false if others have changed the questions meanwhile. revision, edited_by, edited_at: of the draft that is there now; null if there is none.
create type console.saved_draft as (
  is_saved boolean, revision uuid, edited_by text, edited_at timestamptz
);

-- A member's rule for a survey; nulls: there is none. scores: the survey's questions with a score, [{id, label, min, max}]. low: what is suggested, {question, below}; null: no question has a score.
create type console.score_alert as (
  question text, below integer, scores jsonb, low jsonb
);

-- Something that a search found. person: id: of the newest invitation. invitation: detail: the keys of the value. response: detail: its comments; email, name: null for viewers. survey: detail: its state. at: accepted, submitted or created.
create type console.search_hit as (
  found invite.search_group, id text, survey_id text, survey_title text, email text, name text, detail text, at timestamptz
);

-- Where sending is paused: for everyone, for a workspace (null: it isn't), and for which of its surveys: [{id, title, paused_at, paused_by}]. paused_by: as the function of that name.
create type console.sending as (
  service_paused_at timestamptz, workspace_paused_at timestamptz, paused_surveys jsonb, workspace_paused_by text
);

-- What is going on with the email of a workspace. since: the beginning of a quarter hour, an hour ago or a little more; requests, their recipients, sent (invitations, without reminders) and failed (emails): since then. sending: emails that a worker has now. unsent: console.unsent_emails. failures: the emails that failed since yesterday, [{survey_id, title, code, emails}], the most first. has_worker, relays: whether a worker runs, and the relays that are paused or at fault, [{id, condition, since, paused_until, code}]; null in a test workspace, which needs neither. webhooks: the endpoints that fail or are disabled, [{id, url, failing_since, disabled_at}].
create type console.sending_status as (
  since timestamptz, requests integer, recipients integer, sent integer, failed integer, sending integer, unsent jsonb, failures jsonb,
  has_worker boolean, relays jsonb, webhooks jsonb
);

-- A session of the person who asks. current: whether it is the session that asks.
create type console.session as (
  id uuid, signed_in_at timestamptz, last_used_at timestamptz, client_address text, device text, ends_at timestamptz, current boolean
);

-- The person whom a link signs in, and whether another browser requested it. Nulls: the link is unknown, used or expired.
create type console.sign_in_link as (
  email text, other_browser boolean
);

-- The person who has signed in, and the page to go on to. Nulls: the link is unknown, used or expired.
create type console.signed_in as (
  email text, next_path text
);

-- An address on the do-not-email list. invitation_id: its newest invitation in the workspace, if any. detail: what the relay last said about it.
create type console.suppression as (
  email text, reason invite.suppression_reason, created_at timestamptz, added_by text, invitation_id bigint, detail text
);

-- A survey on its workspace's page. responses and sent: all of them. invited: invitations that were sent three or more days ago and didn't bounce. responded: those of them with a response, no matter when it came. unsent: messages that haven't been sent, by status, each counted up to max_unsent; null for viewers. put_off: the queued ones that a rule has put off, by rule (resting, outside_hours, capped): their number, counted up to max_unsent in all, and the first and the last time at which they are looked at again; null for viewers.
create type console.survey as (
  survey_id text, title text, state invite.survey_state, hold_reason invite.hold_reason, responses bigint, sent bigint, invited bigint,
  responded bigint, unsent jsonb, is_being_deleted boolean, put_off jsonb
);

-- What ends a survey and its links by itself. responses: how many count towards the limit, counted up to max_responses, or to the limit; null without one.
create type console.survey_ends as (
  link_days integer, response_limit integer, closes_at timestamptz, responses integer
);

-- What the pages of a survey show around their content, the role of the member, and why the survey's email is held (null: it isn't). paused_at: since when sending is paused for this survey, and paused_by: by whom, for owners and admins. missing_steps: of questions, test, activate and invite, in this order, those that it hasn't had yet; none once it has a response or its first request was accepted, and for viewers. has_draft: whether changes of its questions aren't published; false for viewers.
create type console.survey_frame as (
  survey_id text, title text, state invite.survey_state, workspace_id text, workspace_name text, role invite.member_role,
  hold_reason invite.hold_reason, paused_at timestamptz, paused_by text, missing_steps text[], is_being_deleted boolean, has_draft boolean
);

-- The rules about when a survey's emails may leave: those of its workspace, and beside them its own.
create type console.survey_rules as (
  rest_days integer, open_hours int4multirange, closed_days datemultirange, time_zone text, max_delay_hours integer, own_time_zone text,
  own_max_delay_hours integer
);

-- The settings of a survey that an editor may change. is_asked: its questions are kept when they change, because the survey is open or has responses. responses: counted up to max_responses. past_ids: the ids of all questions that it has asked.
create type console.survey_settings as (
  title text, public_url text, open_responses boolean, thanks text, questions jsonb, questions_version integer, is_asked boolean,
  responses integer, past_ids text[], language text, translations jsonb, translated_from jsonb, button_label text, button_url text
);

-- A survey to choose.
create type console.survey_title as (
  survey_id text, title text, state invite.survey_state, is_being_deleted boolean
);

-- The clock of a test workspace. next_at: when something next happens by itself; null: never. is_moving: whether a worker moves it, or is asked to. since, until, counts, happened: of the request that came last, as in test_advances; null: there was none recently.
create type console.test_clock as (
  now timestamptz, next_at timestamptz, is_moving boolean, since timestamptz, until timestamptz, counts jsonb, happened jsonb
);

-- An email in the outbox of a test workspace. message_number: 0: the invitation; from 1: its reminders. email: as in test_emails; in a list without text, html and headers.
create type console.test_email as (
  id bigint, sent_at timestamptz, survey_id text, survey_title text, invitation_id bigint, message_number smallint, email jsonb
);

-- A test message that a member asked for, and its state: queued, retrying, sent, rejected, or given_up an hour after it was requested. outcome, code: of the last attempt; null: there was none.
create type console.test_invitation as (
  id uuid, token_name text, message_kind invite.message_kind, language text, requested_at timestamptz, state text,
  outcome invite.delivery_outcome, code text, attempts integer, tried_at timestamptz, recipient text, name text
);

-- A trigger token whose default texts can be sent as a test. has_reminder: it has its own texts for reminders. language: the survey's. translated: the languages of its translations and of the survey's translations.
create type console.test_template as (
  token_id uuid, token_name text, subject text, has_reminder boolean, language text, translated text[]
);

-- A test workspace in the list of its real one. now: what its clock says.
create type console.test_workspace as (
  id text, name text, now timestamptz, created_at timestamptz
);

-- Emails of a workspace that haven't been sent for one reason; no reason: they are due, and weren't judged. oldest_due_at: since when the first of them has been due; next_due_at: when the first of those that aren't due yet will be.
create type console.unsent_emails as (
  reason invite.unsent_reason, hold_reason invite.hold_reason, emails integer, oldest_due_at timestamptz, next_due_at timestamptz
);

-- An upload. counts: its lines that aren't invited, yet or at all, by outcome. accepted_until: when the last of its people are accepted at the latest, because of the hourly quota; null: now. token_id: the token of the survey's uploads. sent_before: the last upload with the same lines. counts and what follows it: null in a list.
create type console.upload as (
  id uuid, name text, state invite.upload_state, waits_for invite.trigger_outcome, columns jsonb, lines integer, people integer,
  accepted integer, send_at timestamptz, created_by text, sent_by text, created_at timestamptz, sent_at timestamptz, ended_at timestamptz,
  batches integer, counts jsonb, accepted_until timestamptz, token_id uuid, sent_before uuid, sent_before_at timestamptz,
  sent_before_by text
);

-- The person who uses a session, and that person's workspaces: [{id, name, role, home, test, pause}], test workspaces after their real one. test: {of, name, now}: the id and name of the real one, and what the clock says; null: the workspace is real. pause: {scope, at, by}: what pauses all email of the workspace (scope: service, guard or workspace), since when, and by whom, for owners and admins; null: nothing. workspace_id: the workspace of the requested survey, if the person is a member of it. session_id: for the log. Nulls: the session is unknown or has ended.
create type console.visitor as (
  email text, workspaces jsonb, workspace_id text, session_id uuid
);

-- A webhook endpoint, without its secrets. pending: events that it hasn't accepted yet; failed: events that were given up in the last 24 hours; each counted up to max_count.
create type console.webhook as (
  id uuid, url text, types text[], paused_at timestamptz, disabled_at timestamptz, failing_since timestamptz, rotating_until timestamptz,
  created_at timestamptz, pending integer, failed integer, format invite.webhook_format, survey_id text, survey_title text, below smallint
);

-- The delivery of an event to an endpoint. type: null if the event is no longer kept.
create type console.webhook_delivery as (
  id bigint, event_id uuid, type text, status invite.webhook_status, pending_reason text, attempts smallint, attempted_at timestamptz,
  due_at timestamptz, response_status smallint, response_start text, error_code text, created_at timestamptz
);

-- A workspace's wording of a language. base: the service's language under it, or null. lines: as wording_lines, in camel case.
create type console.wording as (
  base text, informal boolean, has_informal boolean, spoken boolean, lines jsonb
);

-- A response among those of all surveys of a workspace. email, name: the recipient's; null for viewers, without an invitation and after they were erased. question: the first with a score, an NPS before an average; score: the answer to it; null: none. comment: null: none. erased_at: when its answers were erased; null: they weren't.
create type console.workspace_response as (
  id bigint, survey_id text, survey_title text, submitted_at timestamptz, invitation_id bigint, email text, name text, question jsonb,
  score jsonb, comment text, erased_at timestamptz
);

-- The rules about when a workspace's emails may leave, as its columns.
create type console.workspace_rules as (
  rest_days integer, open_hours int4multirange, closed_days datemultirange, time_zone text, max_delay_hours integer
);

-- A workspace with its plan. quota: recipients that it may invite in any rolling hour; remaining: recipients that it may still invite now.
create type console.workspace_settings as (
  name text, plan_id text, api_trigger boolean, suspended_at timestamptz, quota integer, remaining integer
);
