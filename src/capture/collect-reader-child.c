/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/collect-reader-child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The end of the socket, when all else is closed. */
#define SOCKET_FD 0
/* Where close_range(2) is missing. */
#define MOST_FDS 4096

/* Not on the stack, which may be a small one. Each process has its own. */
static MtwReaderRequest request;
static MtwReaderPacket packet;

/* A pipe or a lock that stayed open here would stay as long as this process hangs. */
static void drop_all_but(int socket_fd)
{
	if (socket_fd != SOCKET_FD && dup2(socket_fd, SOCKET_FD) < 0)
		_exit(1);
	if (syscall(SYS_close_range, SOCKET_FD + 1, ~0U, 0) == 0)
		return;
	for (int fd = SOCKET_FD + 1; fd < MOST_FDS; fd++)
		close(fd);
}

/* The other end is gone: nobody to work for. Returns: FALSE */
static gboolean tell(MtwReaderPacketKind kind, int errnum, gsize bytes)
{
	packet.kind = kind;
	packet.errnum = errnum;
	return send(SOCKET_FD, &packet, MTW_READER_HEADER_BYTES + bytes, MSG_NOSIGNAL) >= 0;
}

static ssize_t read_again(int fd, void *data, gsize bytes)
{
	ssize_t got;

	do
		got = read(fd, data, bytes);
	while (got < 0 && errno == EINTR);
	return got;
}

/* What is left behind the limit; sets the last packet. */
static MtwReaderPacketKind look_behind(int fd, int *ret_errnum)
{
	ssize_t got = read_again(fd, packet.data, 1);

	*ret_errnum = got < 0 ? errno : 0;
	return got > 0 ? MTW_READER_CUT : MTW_READER_END;
}

/* Returns: the kind of the last packet, which is not sent yet: a ROM is switched off before. */
static MtwReaderPacketKind send_content(int fd, int *ret_errnum)
{
	guint64 left = request.max_bytes;

	while (left > 0) {
		ssize_t got = read_again(fd, packet.data, MIN(left, sizeof packet.data));
		*ret_errnum = got < 0 ? errno : 0;
		if (got <= 0)
			return MTW_READER_END;
		left -= (guint64)got;
		if (!tell(MTW_READER_DATA, 0, (gsize)got))
			return MTW_READER_END;
	}
	return request.only_these ? MTW_READER_END : look_behind(fd, ret_errnum);
}

static void serve_read(void)
{
	int fd = open(request.path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int errnum = errno;
	MtwReaderPacketKind last = MTW_READER_END;

	if (fd >= 0)
		last = send_content(fd, &errnum);
	/* First the answer: closing can hang too. */
	tell(last, errnum, 0);
	if (fd >= 0)
		close(fd);
}

/* The kernel takes exactly "0" and one more byte, at the beginning, for off, and all else for on.
 */
static int switch_rom(int fd, const char *text)
{
	return pwrite(fd, text, 2, 0) == 2 ? 0 : errno;
}

/* The kernel's answer to a read while it is off is EINVAL; if it is not, somebody switched it on.
 */
static gboolean is_rom_off(int fd)
{
	return pread(fd, packet.data, 1, 0) < 0 && errno == EINVAL;
}

static void serve_rom(void)
{
	int fd = open(request.path, O_RDWR | O_CLOEXEC | O_NOCTTY);
	int errnum = errno;
	gboolean was_on;
	MtwReaderPacketKind last = MTW_READER_END;

	if (fd < 0) {
		tell(MTW_READER_END, errnum, 0);
		return;
	}
	was_on = !is_rom_off(fd);
	if (!was_on && !tell(MTW_READER_ROM_ON, 0, 0))
		_exit(1);
	errnum = was_on ? 0 : switch_rom(fd, "1\n");
	if (errnum == 0)
		last = send_content(fd, &errnum);
	if (!was_on)
		tell(MTW_READER_ROM_OFF, switch_rom(fd, "0\n"), 0);
	tell(last, errnum, 0);
	close(fd);
}

static void serve_switch_off(void)
{
	int fd = open(request.path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	tell(MTW_READER_END, fd >= 0 ? switch_rom(fd, "0\n") : errno, 0);
	if (fd >= 0)
		close(fd);
}

static void serve(void)
{
	switch ((MtwReaderAction)request.action) {
	case MTW_READER_READ:
		serve_read();
		break;
	case MTW_READER_READ_ROM:
		serve_rom();
		break;
	case MTW_READER_SWITCH_OFF:
		serve_switch_off();
		break;
	}
}

void mtw_reader_child(int socket_fd)
{
	ssize_t got;

	drop_all_but(socket_fd);
	if (chdir("/") != 0)
		_exit(1);
	do {
		got = recv(SOCKET_FD, &request, sizeof request, 0);
		if (got == sizeof request)
			serve();
	} while (got > 0 || (got < 0 && errno == EINTR));
	_exit(0);
}
