import { not } from "xstate";
import { recorderSetup } from "./implementations.ts";

const opening = recorderSetup.createStateConfig({
  on: { "connection.opened": { target: "online", actions: "resetAttempts" } },
  after: { connectionTimeout: { target: "#waiting", actions: "countLoss" } },
});

/** Nothing is shown of the first attempt to connect; of every later one it is shown that the connection is lost. */
export const connection = recorderSetup.createStateConfig({
  initial: "withheld",
  states: {
    /** Nothing of what stays here is sent. When the person saves it, the session begins anew. */
    withheld: { always: { guard: not("staysHere"), target: "connected" } },
    connected: {
      invoke: { src: "connection", id: "connection" },
      initial: "opening",
      on: {
        "connection.lost": { target: "waiting", actions: "countLoss" },
        "connection.advanced": { actions: "trustConnection" },
      },
      states: {
        opening,
        reopening: { ...opening, tags: "disconnected" },
        /** A connection that finds itself unresponsive reports that it is lost. */
        online: { after: { connectionTimeout: { target: "online", reenter: true, actions: "checkConnection" } } },
      },
    },
    waiting: {
      id: "waiting",
      tags: "disconnected",
      after: { backOff: "connected.reopening" },
      on: { "page.resumed": "connected.reopening" },
    },
  },
});
