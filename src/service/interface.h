/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface's description: data/dbus/org.mmiotrace.Wizard1.xml, made into C when the program is built. */
#pragma once

extern const char mtw_service_xml[];
