import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { MadePasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from "#contract/index.ts";

/** Deliberate errors of an authenticator or a browser. */
export interface Wrong {
  /** The page's origin in the client data. */
  origin?: string;
  /** The domain that the passkey is made for. */
  rpId?: string;
  challenge?: string;
  type?: string;
  /** The user was not asked for a finger, face or PIN. */
  unverified?: boolean;
  /** The value of the signature counter. */
  counter?: number;
  /** The account in the answer. */
  userHandle?: string;
  /** The id of another credential. */
  id?: string;
  /** The format of an attestation that the server did not request. */
  format?: string;
}

/** A security key in software with one passkey, as in WebAuthn Level 3. */
export interface Authenticator {
  readonly id: string;
  make(options: PasskeyCreation, wrong?: Wrong): MadePasskey;
  use(options: PasskeyRequest, wrong?: Wrong): UsedPasskey;
}

/** @param origin the page's origin */
export function openAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32).toString("base64url");
  let counter = 0;
  let handle = "";
  return {
    id,
    make: ({ challenge, rp, user }, wrong = {}) => {
      handle = user.id;
      const data = authenticatorData(
        wrong.rpId ?? rp.id,
        { ...wrong, counter: wrong.counter ?? counter },
        credentialOf(id, publicKey),
      );
      const attestation = map([
        [text("fmt"), text(wrong.format ?? "none")],
        [text("attStmt"), map(wrong.format === undefined ? [] : [[text("x5c"), list([bytes(randomBytes(8))])]])],
        [text("authData"), bytes(data)],
      ]);
      const clientDataJSON = clientData("webauthn.create", challenge, origin, wrong).toString("base64url");
      const response = {
        clientDataJSON,
        attestationObject: attestation.toString("base64url"),
        transports: ["internal" as const],
      };
      return { id: wrong.id ?? id, rawId: wrong.id ?? id, type: "public-key", response };
    },
    use: ({ challenge, rpId }, wrong = {}) => {
      counter = wrong.counter ?? counter + 1;
      const data = authenticatorData(wrong.rpId ?? rpId, { ...wrong, counter });
      const client = clientData("webauthn.get", challenge, origin, wrong);
      const response = {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signed(privateKey, data, client).toString("base64url"),
        userHandle: wrong.userHandle ?? handle,
      };
      return { id: wrong.id ?? id, rawId: wrong.id ?? id, type: "public-key", response };
    },
  };
}

function clientData(type: string, challenge: string, origin: string, wrong: Wrong): Buffer {
  const data = {
    type: wrong.type ?? type,
    challenge: wrong.challenge ?? challenge,
    origin: wrong.origin ?? origin,
    crossOrigin: false,
  };
  return Buffer.from(JSON.stringify(data));
}

function signed(key: KeyObject, data: Buffer, client: Buffer): Buffer {
  return sign("sha256", Buffer.concat([data, createHash("sha256").update(client).digest()]), key);
}

/** WebAuthn Level 3, section 6.1. Flags: user present, user verified, credential included. */
function authenticatorData(rpId: string, { counter, unverified = false }: Wrong, credential?: Buffer): Buffer {
  const flags = 0x01 | (unverified ? 0 : 0x04) | (credential === undefined ? 0 : 0x40);
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(counter ?? 0);
  return Buffer.concat([
    createHash("sha256").update(rpId).digest(),
    Buffer.from([flags]),
    counted,
    ...(credential === undefined ? [] : [credential]),
  ]);
}

/** WebAuthn Level 3, section 6.5.1, with a COSE key of ES256. */
function credentialOf(id: string, key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const name = Buffer.from(id, "base64url");
  const cose = map([
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), bytes(Buffer.from(x, "base64url"))],
    [number(-3), bytes(Buffer.from(y, "base64url"))],
  ]);
  return Buffer.concat([Buffer.alloc(16), Buffer.from([name.length >> 8, name.length & 0xff]), name, cose]);
}

/** CBOR (RFC 8949): the head of an item; its content follows. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const list = (items: Buffer[]) => Buffer.concat([head(4, items.length), ...items]);
const map = (entries: (readonly [Buffer, Buffer])[]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);
