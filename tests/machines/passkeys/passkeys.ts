import type { MadePasskey, Passkey, PasskeyCreation, UsedPasskey } from "#contract/index.ts";

export const passkey = (id: string): Passkey => ({
  id,
  name: id,
  createdAt: "2026-03-01T12:00:00.000Z",
  lastUsedAt: null,
  synced: true,
});

export const offer: PasskeyCreation = {
  rp: { id: "localhost", name: "Parlance" },
  user: { id: "u", name: "a@example.org", displayName: "A" },
  challenge: "c",
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
};

export const made: MadePasskey = {
  id: "i",
  rawId: "i",
  type: "public-key",
  response: { clientDataJSON: "d", attestationObject: "o", transports: ["internal"] },
};

export const used: UsedPasskey = {
  id: "i",
  rawId: "i",
  type: "public-key",
  response: { clientDataJSON: "d", authenticatorData: "a", signature: "s" },
};
