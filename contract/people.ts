import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { Email } from "./account.ts";
import { ShareRole } from "./transcription.ts";

/** Most people with whom one transcription is shared, including open offers. */
export const maxPeople = 50;
/** How long an offer stays open (days). */
export const offerDays = 14;

/** POST /api/v1/audio-transcriptions/transcription/{id}/people: offers the transcription to a mail address. */
export const NewPerson = v.object({ email: Email, role: ShareRole });
export type NewPerson = v.InferInput<typeof NewPerson>;
/** PATCH of …/people/{share} */
export const PersonChange = v.object({ role: ShareRole });
export type PersonChange = v.InferInput<typeof PersonChange>;

/** A person with whom a transcription is shared, as its owner sees them. Times are ISO 8601, UTC. */
export const SharedPerson = v.object({
  id: v.string(),
  /** The address of the offer. Until it is accepted, nothing tells whether the address has an account. */
  email: v.string(),
  role: ShareRole,
  accepted: v.boolean(),
  createdAt: v.string(),
  /** When an open offer ends; null once it is accepted. */
  expiresAt: v.nullable(v.string()),
});
export type SharedPerson = v.InferOutput<typeof SharedPerson>;

/** GET of …/people: in the order of the offers. */
export const PeopleAnswer = v.object({ people: v.array(SharedPerson) });
export type PeopleAnswer = v.InferOutput<typeof PeopleAnswer>;
/** The response as the page accepts it. */
export const AcceptedPeople = v.object({ people: acceptedRows(SharedPerson) });

/** Another user's transcription that one may read, or is offered. */
export const ReceivedShare = v.object({
  id: v.string(),
  /** Id of the transcription; it can be opened once the offer is accepted. */
  transcription: v.string(),
  title: v.string(),
  /** When it was recorded: ISO 8601, UTC. */
  date: v.string(),
  durationSeconds: v.nullable(v.number()),
  by: v.string(),
  role: ShareRole,
  accepted: v.boolean(),
  /** When an offer ends: ISO 8601, UTC; null once it is accepted. */
  expiresAt: v.nullable(v.string()),
});
export type ReceivedShare = v.InferOutput<typeof ReceivedShare>;

/**
 * GET /api/v1/audio-transcriptions/shared-with-me: offers first, then the latest. POST …/{share} accepts, DELETE
 * declines, or leaves.
 */
export const SharedWithMeAnswer = v.object({ shares: v.array(ReceivedShare) });
export type SharedWithMeAnswer = v.InferOutput<typeof SharedWithMeAnswer>;
/** The response as the page accepts it. */
export const AcceptedSharedWithMe = v.object({ shares: acceptedRows(ReceivedShare) });
