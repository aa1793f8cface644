import { useSelector } from "@xstate/react";
import { use } from "react";
import { useTranslation } from "react-i18next";
import { selectFailure, selectIsBusy, selectIsUnavailable } from "#machines/passkeys/sign-in.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { PasskeySignInActor } from "./sign-in-actor.ts";

/** Sign-in with a passkey. Renders nothing if the browser does not support passkeys. */
export function PasskeySignIn({ entered }: { entered: Promise<PasskeySignInActor | null> }) {
  const passkey = use(entered);
  return passkey === null ? null : <OfferPasskey passkey={passkey} />;
}

interface OfferProps {
  passkey: PasskeySignInActor;
  /** Replaces another way to sign in that has begun. Default: false. */
  instead?: boolean;
}

/** The button. Renders nothing if the server does not support passkeys. */
export function OfferPasskey({ passkey, instead = false }: OfferProps) {
  const { t } = useTranslation("passkeys");
  const unavailable = useSelector(passkey, selectIsUnavailable);
  const busy = useSelector(passkey, selectIsBusy);
  const failure = useSelector(passkey, selectFailure);
  if (unavailable) return null;
  return (
    <div className="stack">
      {failure === null ? null : <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>}
      <Button busy={busy} onClick={() => passkey.send({ type: "passkey.requested" })}>
        {t(instead ? "signIn.instead" : "signIn.begin")}
      </Button>
      <p className="roomless note centre" role="status">
        {busy ? t("signIn.asking") : ""}
      </p>
    </div>
  );
}
