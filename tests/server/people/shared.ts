import { SharedPerson, SharedWithMeAnswer, type ShareRole } from "#contract/index.ts";
import { base, type Person, read } from "#tests/server/harness.ts";

export const peopleOf = (transcription: string): string => `${base}/transcription/${transcription}/people`;
export const sharedWithMe = `${base}/shared-with-me`;

/** Offers a transcription to somebody. */
export async function offer(owner: Person, { email }: { email: string }, id: string, role: ShareRole): Promise<SharedPerson> {
  return read(await owner.call("POST", peopleOf(id), { email, role }), 201, SharedPerson);
}

/** What is shared with a person, and offered to them. */
export const received = async (person: Person) =>
  (await read(await person.call("GET", sharedWithMe), 200, SharedWithMeAnswer)).shares;

/** Offers it, and somebody accepts. */
export async function shareWith(owner: Person, person: Person, id: string, role: ShareRole): Promise<SharedPerson> {
  const made = await offer(owner, person, id, role);
  await read(await person.call("POST", `${sharedWithMe}/${made.id}`), 200, SharedWithMeAnswer);
  return made;
}
