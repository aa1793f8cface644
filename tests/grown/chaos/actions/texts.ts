import type { Fact } from "#tests/grown/chaos/ledger.ts";
import { change, save } from "#tests/server/transcription/saved.ts";
import type { Action, Life } from "./life.ts";

export const saveText: Action = async ({ person, ledger, name }, asking) => {
  const title = name("saved");
  const fact = ledger.add("saved", title, { text: `what ${title} says` });
  const draft = { clientId: crypto.randomUUID(), title, text: fact.text };
  fact.id = (await asking.until(`saving "${title}"`, () => save(person, draft))).id;
};

export const correctTitle: Action = async (life, asking) => {
  const fact = pickSaved(life);
  if (fact === undefined) return saveText(life, asking);
  const title = life.name("corrected");
  fact.maybeTitles.push(title);
  const id = fact.id ?? "";
  await asking.until(`renaming "${fact.title}"`, () => change(life.person, id, { title }));
  [fact.title, fact.maybeTitles] = [title, []];
};

export const deleteText: Action = async (life, asking) => {
  const fact = pickSaved(life);
  if (fact === undefined) return saveText(life, asking);
  fact.deletion = "asked";
  await asking.until(`deleting "${fact.title}"`, async () => {
    const answer = await life.person.call("DELETE", `/audio/remove-transcription/${fact.id}`);
    // The text is already gone: the first answer was lost.
    if (!answer.ok && answer.status !== 404) throw new Error(`expected 200, got ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  });
  fact.deletion = "done";
};

/** Always draws from the dice, so that the rest of a life does not depend on whether there is a saved text. */
function pickSaved({ ledger, dice }: Life): Fact | undefined {
  const all = ledger.facts.filter(({ made, id, deletion }) => made === "saved" && id !== null && deletion === "no");
  return all[Math.floor(dice.next() * all.length)];
}
