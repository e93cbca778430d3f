// SPDX-License-Identifier: GPL-2.0-or-later
// A tus server: server.mjs HOST PORT FOLDER MAX_BYTES (0: no limit). TUS_TOKEN: what it asks for as bearer token.
import { Server } from "@tus/server";
import { FileStore } from "@tus/file-store";

const [host, port, directory, maxBytes] = process.argv.slice(2);
const token = process.env.TUS_TOKEN;

const server = new Server({
	path: "/files",
	relativeLocation: true,
	datastore: new FileStore({ directory }),
	...(Number(maxBytes) ? { maxSize: Number(maxBytes) } : {}),
	async onIncomingRequest(request) {
		if (token && request.headers.authorization !== "Bearer " + token)
			throw { status_code: 401, body: "bad token\n" };
	},
});

server.listen({ host, port: Number(port) });
