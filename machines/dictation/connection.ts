import { not } from "xstate";
import { recorderSetup } from "./implementations.ts";

const opening = recorderSetup.createStateConfig({
  on: { "connection.opened": { target: "online", actions: "resetAttempts" } },
  after: { connectionTimeout: { target: "#waiting", actions: "countLoss" } },
});

/** The first attempt to connect is not shown. Later ones show that the connection is lost. */
export const connection = recorderSetup.createStateConfig({
  initial: "withheld",
  states: {
    /** No audio is sent until the person saves. Then the session starts again. */
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
