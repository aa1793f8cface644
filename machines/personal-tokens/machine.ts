import { setup } from "xstate";
import type { NewPersonalToken, PersonalToken } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext, CollectionEvent, Listed } from "#machines/collection/events.ts";

/** The types of the tokens' list. */
export interface TokenTypes {
  known: Listed<PersonalToken>;
  draft: NewPersonalToken;
  change: never;
  /** The token itself. */
  secret: string;
}
type TokensContext = CollectionContext<TokenTypes>;
type TokensEvent = CollectionEvent<TokenTypes>;

const collection = createCollection<TokenTypes, TokensContext, TokensEvent>({
  order: "newestFirst",
  flawOf: ({ name, scopes }) => (name.trim() === "" ? "noName" : scopes.length === 0 ? "noScope" : null),
});

/**
 * A person's personal access tokens: listed, created with a secret that is shown once, and revoked after a
 * confirmation.
 */
export const personalTokensMachine = setup(collection.parts).createMachine({
  id: "personalTokens",
  context: emptyCollection,
  initial: "loading",
  states: {
    ...collection.loading,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...collection.idle,
          on: { "creation.requested": collection.toWriting, "removal.requested": collection.toAsking },
        },
        ...collection.creationWithSecret,
        ...collection.removal,
      },
    },
  },
});
