-- +goose Up

-- A running instance of a ruleset. The opening game.toml is read once; what it said is here.
CREATE TABLE game (
    name       TEXT PRIMARY KEY,
    ruleset    TEXT NOT NULL,
    version    BIGINT NOT NULL,           -- of the ruleset, at the opening
    title      TEXT NOT NULL,
    zone       TEXT NOT NULL,             -- IANA name
    language   TEXT NOT NULL,
    seed       TEXT NOT NULL,             -- secret until the game ends
    mailbox    TEXT NOT NULL,             -- address that letters come to
    sender     TEXT NOT NULL,             -- address that letters are sent from
    settings   TEXT NOT NULL,             -- JSON: the rest of game.toml
    created    BIGINT NOT NULL,           -- microseconds since 1970, UTC, as every time here
    started    BIGINT NOT NULL DEFAULT 0, -- when it was opened; 0: it gathers its players
    last_n     BIGINT NOT NULL,           -- number of the last event
    last_input BIGINT NOT NULL,           -- number of the last input
    chain      BLOB NOT NULL,             -- hash over the log up to last_input
    next_due   BIGINT,                    -- when something falls due by itself; NULL: nothing does
    held       TEXT NOT NULL,             -- what fault holds the game so that its letters wait, '' when none does
    paused     BIGINT NOT NULL DEFAULT 0,  -- since when nothing falls due, 0 when things do; orders are taken all the same
    pause_why  TEXT NOT NULL DEFAULT '',   -- the reason that was given, '' for none
    reminded   BIGINT NOT NULL DEFAULT 0,  -- up to when reminders were sent, or were not worth sending
    digested   BIGINT NOT NULL DEFAULT 0,  -- up to which input of the log the daily digests told
    digest_due BIGINT NOT NULL DEFAULT 0,  -- when the next one is due; 0: nothing waits for one
    register_due BIGINT NOT NULL DEFAULT 0, -- when the next monthly register is due; 0: none is
    people     BIGINT NOT NULL DEFAULT 0   -- counts the changes of its members, so that others who hold them in memory see it
);

CREATE INDEX game_due ON game (next_due) WHERE held = '';
CREATE INDEX game_created ON game (created, name);
CREATE INDEX game_digest ON game (digest_due) WHERE digest_due > 0;
CREATE INDEX game_register ON game (register_due) WHERE register_due > 0;

-- What a game opens with, kept while it gathers its players: [world] of its game.toml, each line where it stood, and
-- the files that it names. No secret stands there.
CREATE TABLE opening (
    game TEXT NOT NULL,
    ord  BIGINT NOT NULL,                 -- 0: game.toml
    name TEXT NOT NULL,                   -- of the file, as it was named
    data BLOB NOT NULL,
    PRIMARY KEY (game, ord)
);

-- Who waits for a seat in a game, having asked for one and confirmed it.
CREATE TABLE waiting (
    game     TEXT NOT NULL,
    addr     TEXT NOT NULL,               -- folded
    since    BIGINT NOT NULL,
    name     TEXT NOT NULL,               -- as he calls himself, for his nick
    language TEXT NOT NULL,
    wishes   TEXT NOT NULL,               -- what he wrote besides
    PRIMARY KEY (game, addr)
);

-- One row that counts the games that were added and the changes of their settings, so that every program that holds them in
-- memory sees it.
CREATE TABLE directory (
    version BIGINT NOT NULL
);
INSERT INTO directory (version) VALUES (0);

CREATE TABLE member (
    game     TEXT NOT NULL,
    seat     TEXT NOT NULL,
    nick     TEXT NOT NULL,
    role     TEXT NOT NULL,               -- player, gm or observer
    language TEXT NOT NULL,
    zone     TEXT NOT NULL,
    link     TEXT NOT NULL,               -- secret part of the address of his own page
    ord      BIGINT NOT NULL,             -- order of game.toml
    token    TEXT NOT NULL DEFAULT '',    -- secret; in every mail to the member, so it is kept as it is; '': none
    password TEXT NOT NULL DEFAULT '',    -- bcrypt's hash; '': none
    away_from  BIGINT NOT NULL DEFAULT 0, -- of a vacation
    away_until BIGINT NOT NULL DEFAULT 0, -- 0: none
    taken      TEXT NOT NULL DEFAULT '',  -- JSON: the vacations before that one, '' for none
    gone       BIGINT NOT NULL DEFAULT 0, -- since when the seat waits for a successor; 0: it does not
    since      BIGINT NOT NULL DEFAULT 0, -- the event after which he took the seat: letters before it were another's
    PRIMARY KEY (game, seat)
);
CREATE UNIQUE INDEX member_link ON member (link);
CREATE INDEX member_token ON member (token) WHERE token <> '';

-- Mail addresses and forum accounts of members, and of those who get copies (seat '').
CREATE TABLE address (
    game  TEXT NOT NULL,
    seat  TEXT NOT NULL,
    via   TEXT NOT NULL,                  -- mail or forum
    addr  TEXT NOT NULL,                  -- folded: lower case
    shown TEXT NOT NULL,                  -- as written
    ord   BIGINT NOT NULL,                -- 0: the first, where results go
    scope  TEXT NOT NULL DEFAULT '',      -- of copies: a JSON list of what is wanted, '' for everything
    digest BIGINT NOT NULL DEFAULT 0,     -- of copies: 1 for one mail a day
    board  TEXT NOT NULL DEFAULT '',      -- of an account: the forum, '' for a name that counts on all
    PRIMARY KEY (game, via, addr, board, seat)
);
CREATE INDEX address_addr ON address (via, addr);

-- Questions that wait for an answer by mail, with what is done when it comes.
CREATE TABLE pending (
    code    TEXT PRIMARY KEY,             -- secret: it stands in the question, and whoever gives it has read that
    game    TEXT NOT NULL,
    what    TEXT NOT NULL,                -- address or join
    seat    TEXT NOT NULL,                -- whom it concerns; '' for somebody unknown
    asked   TEXT NOT NULL,                -- the address that it was sent to, folded: nobody else can answer it
    body    TEXT NOT NULL,                -- what is to be done, in the words of its kind
    expires BIGINT NOT NULL
);
CREATE INDEX pending_game ON pending (game, what);

-- Every letter that ever came, with its raw bytes. They are as they came, so that everybody's word can be checked: a
-- password that stands in a letter stands in them alone.
CREATE TABLE inbox (
    id          TEXT PRIMARY KEY,
    source      TEXT NOT NULL,            -- name of the source
    ukey        TEXT NOT NULL,            -- the source's own key of the letter
    fingerprint TEXT NOT NULL,            -- Message-ID, From and own text, hashed; or the raw bytes'
    arrived     BIGINT NOT NULL,
    taken       BIGINT NOT NULL,          -- when it was read
    read_before BIGINT NOT NULL DEFAULT 0, -- of a post: up to when its thread had been read by then, 0 when it had not
    via         TEXT NOT NULL,            -- mail or post
    class       TEXT NOT NULL,            -- orders, auto-reply, bounce, duplicate, spam, malformed
    sender      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    message_id  TEXT NOT NULL,
    game        TEXT NOT NULL,            -- '' when none was found
    seat        TEXT NOT NULL,            -- '' when the writer is nobody known
    status      TEXT NOT NULL,            -- done, waiting (its game is held), desk (for a person to read), failed
    note        TEXT NOT NULL,            -- why, for desk and failed
    raw         BLOB NOT NULL,
    marked      BIGINT NOT NULL DEFAULT 0 -- 1: as done, where it came from
);
CREATE UNIQUE INDEX inbox_key ON inbox (source, ukey);
CREATE INDEX inbox_fingerprint ON inbox (fingerprint);
CREATE INDEX inbox_status ON inbox (status, game, arrived);
CREATE INDEX inbox_post ON inbox (message_id) WHERE via = 'post'; -- the versions of one
CREATE INDEX inbox_thread ON inbox (source) WHERE via = 'post';
CREATE INDEX inbox_unmarked ON inbox (source) WHERE marked = 0 AND status IN ('done', 'failed');

-- What of a letter's raw bytes is beyond the first MB, in pieces of one MB.
CREATE TABLE inbox_more (
    inbox TEXT NOT NULL,
    ord   BIGINT NOT NULL,                -- from 1
    raw   BLOB NOT NULL,
    PRIMARY KEY (inbox, ord)
);

-- The files that members attached to their letters, each content once.
CREATE TABLE attachment (
    hash TEXT PRIMARY KEY,                -- SHA-256 in hex
    data BLOB NOT NULL
);

CREATE TABLE attached (
    inbox TEXT NOT NULL,                  -- the letter
    ord   BIGINT NOT NULL,                -- place in it, from 1
    name  TEXT NOT NULL,                  -- as its writer called it, '' when he did not
    size  BIGINT NOT NULL,                -- bytes
    hash  TEXT NOT NULL,                  -- of a file over the limit too, which has no row in attachment
    PRIMARY KEY (inbox, ord)
);

-- How far a source was read.
CREATE TABLE source (
    name   TEXT PRIMARY KEY,
    cursor TEXT NOT NULL,                 -- the source's own words
    until  BIGINT NOT NULL                -- everything that had come by then has been seen
);

-- The log of a game: every input with what was read from it and what came of it.
CREATE TABLE input (
    game   TEXT NOT NULL,
    n      BIGINT NOT NULL,               -- from 1; 0 is the opening
    kind   TEXT NOT NULL,                 -- open, letter, due, set, pause when the engine made one, or back when a post says no more what it said
    at     BIGINT NOT NULL,
    inbox  TEXT NOT NULL,                 -- of a letter: its row
    seat   TEXT NOT NULL,                 -- of a letter: the writer
    last_n BIGINT NOT NULL DEFAULT 0,     -- number of the last event up to here
    round  BIGINT NOT NULL DEFAULT 0,     -- that the game stood in after it, 0 in games without rounds
    body   TEXT NOT NULL,                 -- JSON: orders with their verdicts, the due thing, or of the opening the hash of its state
    events TEXT NOT NULL,                 -- JSON: the events, numbered
    chain  BLOB NOT NULL,                 -- SHA-256 over the chain before, kind, at, inbox, seat, body and events
    PRIMARY KEY (game, n)
);

CREATE INDEX input_inbox ON input (inbox) WHERE inbox <> '';

-- The ROLLBACKs and REDOs of the log, so that what is in force is found without reading it. A point of the log is an
-- input and how many of its lines were ruled on by then, -1 for the whole.
CREATE TABLE turn (
    game    TEXT NOT NULL,
    n       BIGINT NOT NULL,              -- the input
    line    BIGINT NOT NULL,              -- the place of the order among its lines, from 1
    to_n    BIGINT NOT NULL,              -- of a ROLLBACK: the point that it went back to
    to_line BIGINT NOT NULL,
    again   TEXT NOT NULL,                -- of a REDO: a JSON list of the inputs that it gave again; '' of a ROLLBACK
    PRIMARY KEY (game, n, line)
);

CREATE TABLE snapshot (
    game  TEXT NOT NULL,
    n     BIGINT NOT NULL,                -- after this input
    state BLOB NOT NULL,
    hash  BLOB NOT NULL,                  -- SHA-256 of state
    PRIMARY KEY (game, n)
);

-- Everything that is to be told, or was.
CREATE TABLE outbox (
    id         TEXT PRIMARY KEY,
    lane       TEXT NOT NULL,             -- one recipient's mail is sent in order
    seq        BIGINT NOT NULL,           -- order within everything
    game       TEXT NOT NULL,
    input      BIGINT NOT NULL,           -- of the game's log, that caused it
    via        TEXT NOT NULL,             -- mail, post on the web board, or forum
    kind       TEXT NOT NULL,             -- receipt, question, press, results, reminder, copy, alarm
    recipient  TEXT NOT NULL,             -- address, "tavern", or a thread
    message_id TEXT NOT NULL,             -- without angle brackets
    subject    TEXT NOT NULL,
    body       TEXT NOT NULL,
    item       TEXT NOT NULL,             -- JSON: the rest of the item (from, threads)
    date       BIGINT NOT NULL,           -- of its Date field
    state      TEXT NOT NULL,             -- due, sent, failed, expired
    attempts   BIGINT NOT NULL,
    next_at    BIGINT NOT NULL,           -- not tried before
    expires    BIGINT NOT NULL,           -- 0: never
    created    BIGINT NOT NULL,
    done       BIGINT NOT NULL,           -- when it was sent or given up, 0 before
    receipt    TEXT NOT NULL,             -- what the world answered
    error      TEXT NOT NULL              -- of the last attempt
);
CREATE UNIQUE INDEX outbox_seq ON outbox (seq);
CREATE INDEX outbox_due ON outbox (lane, seq) WHERE state = 'due';
CREATE INDEX outbox_given_up ON outbox (state) WHERE state IN ('failed', 'expired');
CREATE INDEX outbox_game ON outbox (game, via, seq);
CREATE INDEX outbox_recipient ON outbox (recipient, seq);
CREATE INDEX outbox_message ON outbox (message_id);

-- Mail of ours that came back: what the last report said of each.
CREATE TABLE bounce (
    item   TEXT PRIMARY KEY,              -- of the outbox
    game   TEXT NOT NULL,                 -- '' for alarms
    addr   TEXT NOT NULL,                 -- folded
    at     BIGINT NOT NULL,
    hard   BIGINT NOT NULL,               -- 1: no later mail will arrive either
    status TEXT NOT NULL,                 -- as "5.1.1"; '' when it was not told
    reason TEXT NOT NULL,                 -- in the server's words
    told   BIGINT NOT NULL                -- when the game's GMs were told of the address with this mail, 0: not
);
CREATE INDEX bounce_addr ON bounce (game, addr);

-- What does not work at the moment, sources and sinks: it is told once, and left alone for a time, also by programs that
-- end in between.
CREATE TABLE trouble (
    what     TEXT PRIMARY KEY,            -- "source" and its name, or a sink
    since    BIGINT NOT NULL,
    until    BIGINT NOT NULL,             -- not tried before; 0: whenever
    tries    BIGINT NOT NULL,             -- in a row, without success
    told     BIGINT NOT NULL,             -- 1: the operator knows
    told_gms BIGINT NOT NULL,             -- 1: so do the GMs of the games that read it
    why      TEXT NOT NULL                -- the last error
);

-- +goose Down
DROP TABLE trouble;
DROP TABLE bounce;
DROP TABLE outbox;
DROP TABLE snapshot;
DROP TABLE turn;
DROP TABLE input;
DROP TABLE source;
DROP TABLE attached;
DROP TABLE attachment;
DROP TABLE inbox_more;
DROP TABLE inbox;
DROP TABLE pending;
DROP TABLE address;
DROP TABLE member;
DROP TABLE directory;
DROP TABLE waiting;
DROP TABLE opening;
DROP TABLE game;
