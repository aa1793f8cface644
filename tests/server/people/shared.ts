import { SharedPerson, SharedWithMeAnswer, type ShareRole } from "#contract/index.ts";
import { base, type Person, read } from "#tests/server/harness.ts";

export const peopleOf = (transcription: string): string => `${base}/transcription/${transcription}/people`;
export const sharedWithMe = `${base}/shared-with-me`;

/** Invites a person to a transcription. */
export async function offer(owner: Person, { email }: { email: string }, id: string, role: ShareRole): Promise<SharedPerson> {
  return read(await owner.call("POST", peopleOf(id), { email, role }), 201, SharedPerson);
}

/** Shares and invitations of a person. */
export const received = async (person: Person) =>
  (await read(await person.call("GET", sharedWithMe), 200, SharedWithMeAnswer)).shares;

/** Invites the person, who accepts. */
export async function shareWith(owner: Person, person: Person, id: string, role: ShareRole): Promise<SharedPerson> {
  const made = await offer(owner, person, id, role);
  await read(await person.call("POST", `${sharedWithMe}/${made.id}`), 200, SharedWithMeAnswer);
  return made;
}
