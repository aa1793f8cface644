import { createActor } from "xstate";
import type { TranscriptionSummary, TrashItem } from "#contract/index.ts";
import type { TranscriptionsCommand, TranscriptionsEmitted, TranscriptionsEvent } from "#machines/transcriptions/events.ts";
import { type FiltersEvent, filtersOf, selectSearchTerm } from "#machines/transcriptions/filters.ts";
import { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import type { PageAnswer, PageRequest } from "#machines/transcriptions/rules.ts";
import { selectItems } from "#machines/transcriptions/selectors.ts";
import { answering, row, stopsAfterTest, talking } from "#tests/machines/harness.ts";

/** Epoch ms when the first page comes. */
export const answeredAt = 1_000_000;

/** An item in the trash: the fewer minutes, the later it was deleted. */
export function trashItem(minute: number): TrashItem {
  const at = (days: number) => new Date(Date.UTC(2026, 2, 1 + days) - minute * 60_000).toISOString();
  return { ...row(minute), deletedAt: at(0), purgeAt: at(30) };
}

/** A server's answers with `count` rows (the newest is `t{count}`). */
export function serverWith(count: number) {
  const rows = Array.from({ length: count }, (_, index) => row(count - index));
  const page = ({ page, limit }: PageRequest): PageAnswer => ({
    data: rows.slice((page - 1) * limit, page * limit),
    pagination: { page, limit, total: rows.length, totalPages: Math.ceil(rows.length / limit) },
  });
  return { rows, page, add: (item: TranscriptionSummary) => rows.unshift(item), drop: (index: number) => rows.splice(index, 1) };
}

export function setUp(server = serverWith(45)) {
  const time = { now: answeredAt };
  const pages = answering<PageAnswer, PageRequest>();
  const updates = talking<TranscriptionsEvent, TranscriptionsCommand>();
  const commands = talking<TranscriptionsEvent, TranscriptionsCommand>();
  const actor = stopsAfterTest(
    createActor(
      transcriptionsMachine.provide({ actors: { fetchPage: pages.logic, updates: updates.logic, commands: commands.logic } }),
      { input: { now: () => time.now } },
    ),
  );
  const emitted: TranscriptionsEmitted[] = [];
  actor.on("command.failed", (event) => emitted.push(event));
  actor.start();
  const { filters } = actor.getSnapshot().children;
  if (filters === undefined) throw new Error("there are no filters");
  return {
    server,
    pages,
    updates,
    commands,
    emitted,
    send: actor.send.bind(actor),
    /** The dashboard is opened. @param now epoch ms */
    request: (now = answeredAt) => {
      time.now = now;
      actor.send({ type: "list.requested" });
    },
    /** The person types or chooses. */
    narrow: (event: FiltersEvent) => filters.send(event),
    searchTerm: () => selectSearchTerm(filters.getSnapshot()),
    filters: () => filtersOf(filters.getSnapshot()),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
    state: () => actor.getSnapshot().value,
    ids: () => selectItems(actor.getSnapshot()).map(({ id }) => id),
    /** The server answers the last request. */
    answer: () => pages.last().resolve(server.page(pages.last().input)),
  };
}

export async function loaded(server = serverWith(45)) {
  const list = setUp(server);
  list.request();
  await list.answer();
  return list;
}
