/// What to say when memory does not suffice.
#pragma once

#include <exception>
#include <functional>
#include <string>

namespace brisance::core {

/// What an exception has to say to the user: the text of our own errors as it is; of the system's the file and the
/// reason, without the words of the library that threw it; where memory did not suffice (std::bad_alloc, or a size that
/// no container has) how much this process holds and can still have, and what to do; of a fault of the program that it
/// is one. Local.
[[nodiscard]] std::string text_for_user(const std::exception& e);

/// Runs `work`; where memory does not suffice throws core::Error that begins with `what`, as in "reading cup.obj".
/// Local.
void naming_what_needs_memory(const std::string& what, const std::function<void()>& work);

}  // namespace brisance::core
