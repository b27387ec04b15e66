/// Texts for the user where memory does not suffice.
#pragma once

#include <exception>
#include <functional>
#include <string>

namespace brisance::core {

/// The message of an exception for the user. An error of ours: its text. A system error: the file and the reason,
/// without the words of the library that threw it. Out of memory (std::bad_alloc, or a size beyond any container): how
/// much this process holds, how much it can still have, and what to do. Any other: that it is a fault of the program.
/// Local.
[[nodiscard]] std::string text_for_user(const std::exception& e);

/// Runs `work`; where memory does not suffice, throws core::Error that begins with `what`, as in "reading cup.obj".
/// Local.
void naming_what_needs_memory(const std::string& what, const std::function<void()>& work);

}  // namespace brisance::core
