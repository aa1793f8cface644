import { useSelector } from "@xstate/react";
import { selectLiveToken } from "#machines/session/selectors.ts";
import { openSession } from "#src/features/session/actor.ts";
import { Checking } from "#src/features/shell/checking.tsx";
import { SignedInFrame } from "./signed-in-frame.tsx";

/** After a reload: the frame is there at once for whoever is signed in; what the guard is doing stands in the page's place. */
export default function WaitingFrame() {
  const isSignedIn = useSelector(openSession(), (snapshot) => selectLiveToken(snapshot) !== undefined);
  if (!isSignedIn) return <Checking />;
  return (
    <SignedInFrame>
      <Checking />
    </SignedInFrame>
  );
}
